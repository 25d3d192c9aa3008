import { pause } from './program.ts'
import type { Client } from './client.ts'

/** Callers that create contacts until they are stopped, as `docs/retries.md` asks: a refused request is sent again with its key. */
export interface Writers {
  /** Resolves when the callers together have been answered with this many more 201. */
  any(count: number): Promise<void>
  /** Resolves when each caller has been answered with this many more 201. */
  more(count: number): Promise<void>
  /** Ends them; returns the address of each contact that was acknowledged. */
  stop(): Promise<readonly string[]>
  /** Every other status that was answered, and `network` where there was no answer. */
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

/** Returns the addresses of all contacts, in order. */
export async function allEmails({ api }: Client): Promise<string[]> {
  const emails: string[] = []
  for await (const { email } of api.contacts.list({ limit: 100 })) emails.push(email ?? '')
  return emails.toSorted()
}
