import { pause } from './program.ts'
import type { Client } from './client.ts'

/**
 * Callers that create contacts until they are stopped. They retry failed requests with the same Idempotency-Key, as described
 * in `docs/retries.md`.
 */
export interface Writers {
  /** Resolves when all callers together have got this many more 201 responses. */
  any(count: number): Promise<void>
  /** Resolves when each caller has got this many more 201 responses. */
  more(count: number): Promise<void>
  /** Stops the callers; returns the email address of each acknowledged contact. */
  stop(): Promise<readonly string[]>
  /** Counts of all other statuses; `network` counts requests without a response. */
  readonly refusals: Map<string, number>
}

export function writers(client: Client, callers: number): Writers {
  const acknowledged: string[][] = Array.from({ length: callers }, () => [])
  const refusals = new Map<string, number>()
  const stopping = new AbortController()

  const create = async (email: string): Promise<void> => {
    for (;;) {
      const status = await send(client, email)
      if (status === '201') return
      refusals.set(status, (refusals.get(status) ?? 0) + 1)
      await pause(20)
    }
  }
  const loops = acknowledged.map(async (mine, caller) => {
    for (let n = 0; !stopping.signal.aborted; n += 1) {
      const email = `caller${caller}-${n}@example.com`
      await create(email)
      mine.push(email)
    }
  })
  return {
    refusals,
    async any(count) {
      const goal = acknowledged.flat().length + count
      while (acknowledged.flat().length < goal) await pause(5)
    },
    async more(count) {
      const goals = acknowledged.map((mine) => mine.length + count)
      while (acknowledged.some((mine, caller) => mine.length < (goals[caller] ?? 0))) await pause(5)
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      return acknowledged.flat()
    },
  }
}

async function send({ url, token }: Client, email: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': email }
  try {
    const reply = await fetch(`${url}/v1/contacts`, { method: 'POST', headers, body: JSON.stringify({ email }) })
    await reply.arrayBuffer()
    return String(reply.status)
  } catch {
    return 'network'
  }
}

/** Returns the email addresses of all contacts, in order. */
export async function allEmails({ api }: Client): Promise<string[]> {
  const emails: string[] = []
  for await (const { email } of api.contacts.list({ limit: 100 })) emails.push(email ?? '')
  return emails.toSorted()
}
