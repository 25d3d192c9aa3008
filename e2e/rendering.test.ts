import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumPath } from './chromium.ts'
import { Client } from './client.ts'
import { createToken, pause, program } from './program.ts'

test.skipIf(chromiumPath === undefined || process.platform !== 'linux')(
  'Chromium renders a site with scripts; kill -9 of the program also ends Chromium, and the crawl continues',
  async () => {
    let holding = true
    let held: () => void = () => undefined
    const reached = new Promise<void>((resolve) => (held = resolve))
    const site = createServer((request, response) => {
      const path = request.url ?? ''
      if (path === '/robots.txt') return response.end('User-agent: *\nCrawl-delay: 0')
      if (path === '/app.js')
        return response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end("fetch('/text' + location.pathname).then((reply) => reply.text()).then((text) => { document.body.innerHTML = text })")
      if (path === '/text/second' && holding) return held()
      if (path.startsWith('/text/'))
        return response.end(`<main><p>What the script has fetched for ${path.slice(5)}.</p></main><a href="/second">Second</a>`)
      return response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${path}</title><script src="/app.js"></script>`)
    }).listen(0, '127.0.0.1')
    await new Promise((listening) => site.once('listening', listening))
    const folder = await mkdtemp(join(tmpdir(), 'browser-'))
    onTestFinished(async () => {
      site.close().closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    })
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
    const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: host, CHROMIUM_PATH: chromiumPath ?? '', TMPDIR: folder })
    await groundwork.start()
    const client = new Client(groundwork.url, (await createToken(groundwork)).token)
    const base = await client.createBase('shown')
    const added = await client.call<{ id: string }>('POST', `/v1/bases/${base.id}/sources`, {
      name: 'Site',
      type: 'scrape',
      url: `http://${host}/`,
    })
    await reached
    expect(processesIn(folder)).toBeGreaterThan(2)
    await groundwork.kill()
    while (processesIn(folder) > 0) await pause(50)
    expect(await foldersIn(folder)).toEqual([])

    holding = false
    await groundwork.start()
    expect(await client.settled(base.id, added.id)).toMatchObject({ status: 'completed', error: null, pages: 2, warnings: [] })
    const [hit] = await client.search(base.id, 'what the script has fetched for second', { topK: 1 })
    expect(hit?.text).toContain('fetched for /second')
    expect(await groundwork.stop()).toBe(0)
    expect(processesIn(folder)).toBe(0)
    expect(await foldersIn(folder)).toEqual([])
  },
  600_000,
)

const foldersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('groundwork-browser-'))

/** Returns the number of processes with the folder in their environment: the browser and its driver. */
function processesIn(folder: string): number {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return names.filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').includes(join(folder, 'groundwork-browser-'))
    } catch {
      return false
    }
  }).length
}
