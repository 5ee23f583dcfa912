// A data race: two threads add to one variable without a lock. The thread sanitizer must report it.
import Foundation

// The race is the purpose of this program.
nonisolated(unsafe) var shared = 0

let threads = (0..<2).map { _ in
  Thread { for _ in 0..<100_000 { shared += 1 } }
}
for thread in threads { thread.start() }
while threads.contains(where: { !$0.isFinished }) { usleep(1_000) }
print("finished without a report: \(shared)")
