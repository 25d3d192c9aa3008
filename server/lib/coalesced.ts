/** Returns a function whose calls share the next run of `fn`: a run that has begun may have read an earlier state. */
export function coalesced<T>(fn: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined
  let running: Promise<unknown> = Promise.resolve()
  return () => {
    next ??= running.then(() => {
      next = undefined
      const run = fn()
      running = run.catch(() => undefined)
      return run
    })
    return next
  }
}
