import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { createToken, pause, program } from './program.ts'

const pages = 40

test('after kill -9 a crawl continues and does not repeat pages that it has read', async () => {
  const requested: string[] = []
  const site = createServer((request, response) => {
    const path = request.url ?? ''
    requested.push(path)
    if (path === '/robots.txt') return response.end('User-agent: *\nCrawl-delay: 0.1')
    const number = path === '/' ? 0 : Number(/^\/page-(\d+)$/.exec(path)?.[1] ?? pages)
    if (number >= pages) return response.writeHead(404).end()
    const links = Array.from({ length: pages }, (_, at) => `<a href="/page-${at + 1}">${at + 1}</a>`).join(' ')
    return response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>Number ${number}</title><main><p>This is what page number ${number} has to say.</p></main>${links}`)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => site.once('listening', listening))
  onTestFinished(() => {
    site.close().closeAllConnections()
  })
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
  const requestedPages = (): string[] => requested.filter((path) => path === '/' || path.startsWith('/page-'))

  const groundwork = await program(onTestFinished, { FETCH_ALLOW_HOSTS: host })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('crawled')
  const added = await client.call<{ id: string }>('POST', `/v1/bases/${base.id}/sources`, {
    name: 'Site',
    type: 'scrape',
    url: `http://${host}/`,
  })
  const kills = [10, 25]
  for (const count of kills) {
    while (requestedPages().length < count) await pause(20)
    await groundwork.kill()
    await groundwork.start()
  }
  const source = await client.settled(base.id, added.id)
  expect(source).toMatchObject({ status: 'completed', error: null, pages })
  // Each kill can repeat at most the four pages in flight.
  expect(new Set(requestedPages()).size).toBe(pages + 1)
  expect(requestedPages().length - (pages + 1)).toBeLessThanOrEqual(4 * kills.length)
  const hits = await client.search(base.id, 'what page number 17 has to say', { topK: 100 })
  expect(hits.length).toBe(pages)
  expect(await groundwork.stop()).toBe(0)
}, 600_000)
