import { crc32 } from 'node:zlib'
import { request, type IncomingHttpHeaders } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isInstalled, proxyKinds, startProxy } from './proxies.ts'
import { createToken, program } from './program.ts'

interface Answer {
  status: number
  body: any // oxlint-disable-line typescript/no-explicit-any -- tests inspect results of any shape
  headers: IncomingHttpHeaders
}

interface Asked {
  /** Source address of the request; every address in 127.0.0.0/8 is local. */
  from: string
  method?: string
  headers?: Record<string, string>
  body?: object
}

function ask(url: string, { from, method = 'GET', headers = {}, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, ...(body && { 'content-type': 'application/json' }) }
    const outgoing = request(url, { method, localAddress: from, headers: sent, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text), headers: answer.headers }),
      )
    })
    outgoing.on('error', reject).end(body && JSON.stringify(body))
  })
}

/** Returns a well-formed unknown token; its checksum is that of server/tokens/secret.ts. */
function unknownToken(): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const random = Array.from({ length: 32 }, () => alphabet[Math.trunc(Math.random() * 62)]).join('')
  let rest = crc32(random)
  let digits = ''
  for (let place = 0; place < 6; place += 1) {
    digits = `${alphabet[rest % 62]}${digits}`
    rest = Math.floor(rest / 62)
  }
  return `gw_${random}${digits}`
}

const [flooding, quiet, direct] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const

describe.each(proxyKinds)('behind $name', (kind) => {
  test('each client has its own rate limits, and the audit log has its address', async ({ skip }) => {
    skip(!(await isInstalled(kind)), `${kind.name} is not installed`)
    const groundwork = await program(onTestFinished, { TRUSTED_PROXIES: '127.0.0.1' })
    await groundwork.start()
    const proxy = await startProxy(kind, Number(new URL(groundwork.url).port), onTestFinished)
    const { token } = await createToken(groundwork)
    const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` })
    const guess = async (from: string, headers: Record<string, string> = {}): Promise<number> =>
      (await ask(`${proxy}/v1/contacts`, { from, headers: { ...bearer(unknownToken()), ...headers } })).status
    const signIn = async (from: string, headers: Record<string, string> = {}): Promise<Answer> => {
      const body = { email: 'nobody@example.com', password: 'wrong horse battery' }
      return ask(`${proxy}/auth/sign-in/email`, { from, method: 'POST', headers: { origin: groundwork.url, ...headers }, body })
    }

    // Forged headers have no effect: the proxy appends the client address, or removes the headers.
    const forged = (n: number): Record<string, string> => ({ 'x-forwarded-for': `198.51.100.${n}`, forwarded: `for=198.51.100.${n}` })
    // The quota is 60 per minute, and the requests may span two minutes.
    const flood = await Promise.all(Array.from({ length: 130 }, (_, n) => guess(flooding, forged(n))))
    expect(flood.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10)
    expect(await guess(quiet)).toBe(401)
    expect((await ask(`${proxy}/v1/contacts`, { from: flooding, headers: bearer(token) })).status).toBe(200)

    const attempts = await Promise.all(Array.from({ length: 24 }, (_, n) => signIn(flooding, forged(n))))
    expect(attempts.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(attempts.filter(({ status }) => status === 429)).toHaveLength(14)
    expect((await signIn(quiet)).status).toBe(401)

    const made = { method: 'POST', headers: bearer(token), body: { email: 'a@example.com' } }
    await ask(`${proxy}/v1/contacts`, { ...made, from: quiet, headers: { ...made.headers, ...forged(9) } })
    await ask(`${groundwork.url}/v1/contacts`, {
      ...made,
      from: direct,
      body: { email: 'b@example.com' },
      headers: { ...made.headers, ...forged(9) },
    })
    const audit = await ask(`${proxy}/v1/audit?action=contact.created`, { from: quiet, headers: bearer(token) })
    expect(audit.body.data.map(({ address }: { address: string }) => address)).toEqual([direct, quiet])
    expect(await groundwork.stop()).toBe(0)
  }, 600_000)
})
