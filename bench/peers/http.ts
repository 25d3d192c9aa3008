import { Pool } from 'undici'

export const callers = 8

export interface Wire {
  post(path: string, body: string | Uint8Array, headers?: Record<string, string>): Promise<string>
  call(method: 'POST' | 'PUT', path: string, body: unknown): Promise<unknown>
  close(): Promise<void>
}

/** Opens one keep-alive connection per caller, for every system. */
export function openWire(origin: string): Wire {
  const pool = new Pool(origin, { connections: callers })
  const send = async (
    method: 'POST' | 'PUT',
    path: string,
    body: string | Uint8Array,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Promise<string> => {
    const reply = await pool.request({ method, path, body, headers })
    const text = await reply.body.text()
    if (reply.statusCode >= 300) throw new Error(`${path}: ${reply.statusCode} ${text}`)
    return text
  }
  return {
    post: (path, body, headers) => send('POST', path, body, headers),
    call: async (method, path, body) => JSON.parse(await send(method, path, JSON.stringify(body))) as unknown,
    close: () => pool.destroy(),
  }
}
