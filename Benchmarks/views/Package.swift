// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "views",
  dependencies: [.package(name: "yapbench", path: "../..")],
  targets: [
    .executableTarget(name: "views", dependencies: [.product(name: "YapEngine", package: "yapbench")])
  ],
  swiftLanguageModes: [.v6]
)
