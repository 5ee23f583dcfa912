// A data race: two threads write one variable without a lock. The thread sanitizer must report it.
import Foundation

// The race is the purpose of this program.
nonisolated(unsafe) var shared = 0

// Nothing orders the two additions, because each thread adds after both have reached the barrier. Each thread adds only
// once: the sanitizer keeps a thread's last events only, and does not report an access that it cannot trace back.
nonisolated(unsafe) let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
pthread_barrier_init(barrier, nil, 2)

let threads = (0..<2).map { _ in
  Thread {
    pthread_barrier_wait(barrier)
    shared += 1
  }
}
for thread in threads { thread.start() }
while threads.contains(where: { !$0.isFinished }) { usleep(1_000) }
print("finished without a report: \(shared)")
