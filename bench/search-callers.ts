import { pause } from '@groundwork/e2e/program'
import { Pool } from 'undici'

const callers = 2
/** Each caller starts a search this often, or as soon as its former one has ended. */
const periodMs = 100

export interface SearchCallers {
  /** Runs `act` and returns the milliseconds of the searches that ended meanwhile. */
  during(act: () => Promise<void>): Promise<number[]>
  /** Answers other than 200, and lost connections. */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

/** Starts callers that search a knowledge base with new questions, about 20 a second together. */
export function startSearches(url: string, token: string, baseId: string): SearchCallers {
  const pool = new Pool(url, { connections: callers })
  const failures: string[] = []
  const stopping = new AbortController()
  let [times, serial]: [number[], number] = [[], 0]

  const search = async (query: string): Promise<void> => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: `/v1/bases/${baseId}/search`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, topK: 10 }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
  }
  const words = 'engine flow wing heat school river war church species cell protein pressure city music energy law'.split(' ')
  const question = (n: number): string => `What is the ${words[n % 16]} of the ${words[(n >> 4) % 16]} in case ${n}?`

  const calling = Array.from({ length: callers }, async (_, caller) => {
    await pause((periodMs * caller) / callers)
    while (!stopping.signal.aborted) {
      const began = performance.now()
      await search(question((serial += 1))).then(
        () => times.push(performance.now() - began),
        (error: unknown) => failures.push(String(error)),
      )
      await pause(Math.max(0, began + periodMs - performance.now()))
    }
  })
  return {
    failures,
    async during(act) {
      times = []
      await act()
      return times
    },
    async stop() {
      stopping.abort()
      await Promise.all(calling)
      await pool.close()
    },
  }
}
