/** A pause that `wake` ends early. */
export interface WakeableSleep {
  /** Ends the sleep in progress, or the next one at once. */
  readonly wake: () => void
  /** Sleeps until `wake`, and at most `timeoutMs` if given. Only one caller sleeps at a time. */
  sleep(timeoutMs?: number): Promise<void>
}

export function createWakeableSleep(): WakeableSleep {
  let isWoken = false
  let end = (): void => undefined
  return {
    wake() {
      isWoken = true
      end()
    },
    async sleep(timeoutMs) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = timeoutMs === undefined ? undefined : setTimeout(resolve, timeoutMs)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isWoken = false
    },
  }
}
