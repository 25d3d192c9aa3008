import { execFile, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createToken, engineName, freePort, pause, program, type Program } from './program.ts'

const minRequests = 5000
const callers = 8

const haproxyIsInstalled = await promisify(execFile)('haproxy', ['-v']).then(
  () => true,
  () => false,
)

test.skipIf(engineName() !== 'PostgreSQL' || !haproxyIsInstalled)(
  `a rolling restart of two programs behind HAProxy drops none of ${minRequests} requests (PostgreSQL and haproxy)`,
  async () => {
    // An empty value selects the default.
    const first = await program(onTestFinished, { DRAIN_SECONDS: '' })
    const second = await program(onTestFinished, { ...first.env, PORT: String(await freePort()) })
    await Promise.all([first.start(), second.start()])
    const proxy = await startHaproxy([first, second])
    const { token } = await createToken(first)
    const agent = new Agent({ keepAlive: true, maxSockets: callers })
    onTestFinished(() => agent.destroy())
    const failures: string[] = []
    let sent = 0
    const restarted = new AbortController()
    const calling = Array.from({ length: callers }, async (_, caller) => {
      while (!restarted.signal.aborted || sent < minRequests) {
        const n = (sent += 1)
        const body = n % 4 === 0 ? undefined : { email: `${caller}.${n}@example.com` }
        const outcome = await ask(`${proxy}/v1/contacts${body === undefined ? '?limit=1' : ''}`, { token, agent, body })
        if (outcome !== (body === undefined ? '200' : '201')) failures.push(`request ${n}: ${outcome}`)
      }
    })
    for (const each of [first, second, first, second]) {
      await pause(2000)
      expect(await each.stop()).toBe(0)
      await each.start()
      // HAProxy waits for two successful checks before it sends requests to a program again.
      await pause(4000)
    }
    restarted.abort()
    await Promise.all(calling)
    console.log(`${sent} requests, ${failures.length} failed`)
    expect(failures).toEqual([])
  },
  600_000,
)

/** Returns the status, or the error of the connection. */
function ask(url: string, { token, agent, body }: { token: string; agent: Agent; body: object | undefined }): Promise<string> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  return new Promise((answered) => {
    request(url, { method: body === undefined ? 'GET' : 'POST', headers, agent }, (reply) => {
      reply.resume()
      reply.on('end', () => answered(String(reply.statusCode)))
      reply.on('error', (error) => answered(error.message))
    })
      .on('error', (error) => answered(error.message))
      .end(text)
  })
}

/** Starts HAProxy in front of the programs. It checks their readiness each second and repeats no request. */
async function startHaproxy(programs: readonly Program[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'groundwork-haproxy-'))
  const port = await freePort()
  const servers = programs.map(({ url }, at) => `  server program${at} ${new URL(url).host} check inter 1s`)
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  retries 0
frontend public
  bind 127.0.0.1:${port}
  default_backend groundwork
backend groundwork
  balance roundrobin
  option httpchk GET /readyz
${servers.join('\n')}
`,
  )
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  onTestFinished(async () => {
    haproxy.kill('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = Date.now() + 30_000
  while (
    !(await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline || haproxy.exitCode !== null) throw new Error('haproxy does not start')
    await pause(50)
  }
  return url
}
