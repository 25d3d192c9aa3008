import { Client } from '@groundwork/e2e/client'
import { createToken, engineName, freePort, pause, program, root } from '@groundwork/e2e/program'
import autocannon from 'autocannon'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable, withEnds } from './run.ts'

/** The yardstick and the service alternate, so that other load on the machine affects both. */
const rounds = 5
const seconds = Math.max(1, Math.round(Number(process.argv[2] ?? 10) / rounds))
const connections = 16
const contact = { firstName: 'Rental', lastName: 'Desk', email: 'desk@example.com', phone: '+442071838750' }

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'fatal' })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  for (let count = 0; count < 50; count += 1) await client.call('POST', '/v1/contacts', contact)
  const { id } = await client.call<{ id: string }>('POST', '/v1/contacts', contact)
  const bareUrl = await bareServer(atEnd)

  const rows: string[][] = []
  const compare = async (what: string, request: { method: 'GET' | 'POST'; path: string; bare: string; body?: string }): Promise<void> => {
    const measured: { yardstick: number; ours: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const yardstick = await load(bareUrl + request.bare, request, {})
      const ours = await load(groundwork.url + request.path, request, { authorization: `Bearer ${token}` })
      // The first round is a warm-up.
      if (round > 0) measured.push({ yardstick, ours })
    }
    const [yardstick, ours, share] = [
      median(measured.map((round) => round.yardstick)),
      median(measured.map((round) => round.ours)),
      median(measured.map((round) => round.ours / round.yardstick)),
    ]
    rows.push([what, yardstick.toFixed(0), ours.toFixed(0), share.toFixed(2)])
  }
  await compare('GET one contact', { method: 'GET', path: `/v1/contacts/${id}`, bare: '/one' })
  await compare('list 50 contacts', { method: 'GET', path: '/v1/contacts', bare: '/list' })
  await compare('create a contact', { method: 'POST', path: '/v1/contacts', bare: '/create', body: JSON.stringify(contact) })
  printTable(
    `Requests per second, ${connections} connections, median of ${rounds} rounds of ${seconds} s (${engineName()})`,
    ['what', 'yardstick: bare Fastify, one prepared statement', 'Groundwork', 'share'],
    rows,
  )
})

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function load(url: string, request: { method: 'GET' | 'POST'; body?: string }, headers: Record<string, string>): Promise<number> {
  const options = {
    url,
    connections,
    method: request.method,
    headers: { ...headers, ...(request.body !== undefined && { 'content-type': 'application/json' }) },
    ...(request.body !== undefined && { body: request.body }),
  }
  const result = await autocannon({ ...options, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Starts the yardstick in its own process, with its own store of the same engine. */
async function bareServer(atEnd: (end: () => Promise<void>) => void): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'groundwork-bare-'))
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', 'tsx', '--conditions=source', 'bench/bare-server.ts', String(port), dataDir], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  atEnd(async () => {
    child.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 600; tries += 1) {
    if (
      await fetch(`${url}/one`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return url
    await pause(100)
  }
  throw new Error('the yardstick did not start')
}
