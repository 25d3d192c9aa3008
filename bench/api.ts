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
/** Each link and each address has a limit of requests per minute, so a page is measured with as many recipients. */
const recipients = 1000
/** A person's browser. Requests of programs are also recorded. */
const browser =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const contact = { firstName: 'Rental', lastName: 'Desk', email: 'desk@example.com', phone: '+442071838750' }
let people = 0

await withEnds(async (atEnd) => {
  const groundwork = await program(atEnd, { LOG_LEVEL: 'fatal', TRUSTED_PROXIES: '127.0.0.1' })
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  for (let count = 0; count < 50; count += 1) await client.call('POST', '/v1/contacts', contact)
  const { id } = await client.call<{ id: string }>('POST', '/v1/contacts', contact)
  const bareUrl = await bareServer(atEnd)

  const rows: string[][] = []
  const compare = async (what: string, request: Comparison): Promise<void> => {
    const measured: { yardstick: number; ours: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const yardstick = await load(bareUrl + request.bare, { ...request, requests: [] }, {})
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
  await compare('create a contact', { method: 'POST', path: '/v1/contacts', bare: '/create', body: nextContact })
  const pages = await pagesOfProposals(client, id)
  const page = await fetch(groundwork.url + pages[0]?.path)
  const stored = { headers: Object.fromEntries(page.headers), html: await page.text() }
  await fetch(`${bareUrl}/page`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(stored) })
  await compare('page of a proposal', { method: 'GET', path: '/', bare: '/page', requests: pages })
  printTable(
    `Requests per second, ${connections} connections, median of ${rounds} rounds of ${seconds} s (${engineName()})`,
    ['what', 'yardstick: bare Fastify, one prepared statement', 'Groundwork', 'share'],
    rows,
  )
})

interface Comparison {
  readonly method: 'GET' | 'POST'
  readonly path: string
  /** Path of the yardstick. */
  readonly bare: string
  /** Returns the body of the next request. */
  readonly body?: () => string
  /** Requests that alternate, instead of the one to `path`. */
  readonly requests?: readonly { readonly path: string; readonly headers: Record<string, string> }[]
}

/** Each contact is another person: the duplicates of one would be compared with each other. */
function nextContact(): string {
  people += 1
  return JSON.stringify({
    ...contact,
    lastName: `Desk ${people}`,
    email: `desk-${people}@example.com`,
    phone: `+44207${1_000_000 + people}`,
  })
}

/** Sends proposals of three lines. Returns a request of each recipient for the page, from an address of its own. */
async function pagesOfProposals(client: Client, contactId: string): Promise<NonNullable<Comparison['requests']>> {
  const items = [
    { description: 'E-bike, three days', quantity: '6', unitPrice: '105.00', discountPercent: '10', taxes: [{ name: 'VAT', rate: '20' }] },
    { description: 'Guided tour', unitPrice: '350.00', taxRate: '20', optional: true },
    { description: 'Helmets', quantity: '6', unitPrice: '4.25', taxRate: '20' },
  ]
  const message = 'Thank you for your visit.\n\nThis is our offer as discussed.'
  const proposal = { title: 'Six e-bikes for three days', contactId, currency: 'GBP', items, message }
  const paths: string[] = []
  for (let count = 0; count < recipients; count += 1) {
    const { url } = await client.call<{ url: string }>('POST', '/v1/proposals', proposal)
    paths.push(new URL(url).pathname)
  }
  return paths.map((path, at) => ({ path, headers: { 'user-agent': browser, 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` } }))
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

async function load(
  url: string,
  request: Pick<Comparison, 'method' | 'body' | 'requests'>,
  headers: Record<string, string>,
): Promise<number> {
  const { requests = [], body } = request
  const options = {
    url,
    connections,
    method: request.method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { requests: [{ setupRequest: (next: autocannon.Request) => ({ ...next, body: body() }) }] }),
    // Every connection goes through the list from its start, so each begins elsewhere.
    ...(requests.length > 0 && { setupClient: rotated(requests) }),
  }
  const result = await autocannon({ ...options, duration: seconds })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Returns a function that gives each connection the requests from another position on. */
function rotated(requests: NonNullable<Comparison['requests']>): (client: autocannon.Client) => void {
  let next = 0
  return (client) => {
    const from = Math.floor((next * requests.length) / connections)
    next += 1
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)].map((request) => ({ method: 'GET', ...request })))
  }
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
