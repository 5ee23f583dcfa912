// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "bookmarks",
  dependencies: [.package(name: "yapbench", path: "../..")],
  targets: [
    .executableTarget(name: "bookmarks", dependencies: [.product(name: "YapEngine", package: "yapbench")])
  ],
  swiftLanguageModes: [.v6]
)
