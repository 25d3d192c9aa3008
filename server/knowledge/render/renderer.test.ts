import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { pinnedDial, type Dial } from '../../outbound/connect.ts'
import { createOutbound } from '../../outbound/outbound.ts'
import { chromiumPath } from '../../testing/chromium.ts'
import { startSite } from '../../testing/site.ts'
import { createRenderer, type Renderer, type RendererOptions } from './renderer.ts'

const site = await startSite()
const { port: sitePort } = new URL(`http://${site.host}`)
const dialled: string[] = []
const dial: Dial = (options, addresses, callback) => {
  dialled.push(...addresses.map(({ address }) => `${address}:${options.port}`))
  pinnedDial(2_000)(options, addresses, callback)
}
// Every name leads to this machine; those of the site alone are allowed to.
const everywhereHere = async () => [{ address: '127.0.0.1', family: 4 }]
const outbound = createOutbound({
  allowHosts: [site.host, `site.example:${sitePort}`],
  userAgent: 'test',
  resolve: everywhereHere,
  dial,
})
const renderers: Renderer[] = []
const warned: string[] = []
const log = { warn: (fields: object, message: string) => void warned.push(message, JSON.stringify(fields)), debug: () => undefined }

function renderer(options: Partial<RendererOptions> = {}): Renderer {
  const made = createRenderer({
    executablePath: chromiumPath ?? '',
    userAgent: 'Groundwork/test',
    outbound,
    log,
    browsers: 1,
    timeoutMs: 90_000,
    settleMs: 45_000,
    ...options,
  })
  renderers.push(made)
  return made
}

afterAll(async () => {
  await Promise.all(renderers.map((each) => each.close()))
  await outbound.close()
})

const signal = new AbortController().signal
const origin = `http://${site.host}`

function fetched(script: string, url = `${origin}/app`) {
  const body = Buffer.from(`<!doctype html><title>App</title><div id="root"></div><script>${script}</script>`)
  return { url, status: 200, headers: new Headers({ 'content-type': 'text/html; charset=utf-8', 'content-length': '5' }), body }
}

const write = (value: string): string => `document.getElementById('root').textContent = ${value};`

describe.skipIf(chromiumPath === undefined)('a page shown by Chromium', { timeout: 240_000 }, () => {
  const shared = renderer()

  it('is read when its scripts are idle', async () => {
    site.pages.set('/app.js', (response) => response.setHeader('content-type', 'text/javascript').end("export const path = '/data'"))
    site.pages.set('/data', (response) => void setTimeout(() => response.end('Fresh from the server, mañana'), 200))
    const script = `import('/app.js').then(({ path }) => fetch(path)).then((reply) => reply.text()).then((text) => { ${write('text')} })`
    const { html, movedTo } = await shared.show(fetched(script), signal)
    expect(html).toContain('<div id="root">Fresh from the server, mañana</div>')
    expect(movedTo).toBeNull()
    expect(site.requests.map(({ path }) => path)).toEqual(['/app.js', '/data'])
    expect(site.requests[0]?.headers['user-agent']).toMatch(/Groundwork\/test.*Chrome\/\d+/)
  })

  it('loads no images, fonts, frames or service workers, and leaves no state for the next page', async () => {
    site.requests.length = 0
    site.pages.set('/worker.js', (response) => response.setHeader('content-type', 'text/javascript').end(''))
    const script = `
      localStorage.setItem('left', 'behind'); document.cookie = 'left=behind'
      document.body.insertAdjacentHTML('beforeend', '<img src="/a.png"><iframe src="/frame"></iframe><video src="/v.mp4"></video>')
      document.fonts.add(new FontFace('f', 'url(/f.woff2)')); document.fonts.load('12px f').catch(() => {})
      window.open('/popup'); alert('stop')
      navigator.serviceWorker.register('/worker.js')`
    await shared.show(fetched(script), signal)
    const { html } = await shared.show(fetched(write("'left: ' + document.cookie + localStorage.length")), signal)
    expect(html).toContain('>left: 0</div>')
    expect(site.requests.map(({ path }) => path)).toEqual([])
  })

  it('reports navigations without following them', async () => {
    site.requests.length = 0
    const { html, movedTo } = await shared.show(fetched(`${write("'still here'")} location.href = '/elsewhere'`), signal)
    expect(movedTo).toBe(`${origin}/elsewhere`)
    expect(html).toContain('still here')
    expect(site.requests).toEqual([])
  })

  it('only fails itself if it never ends or grows without limit', async () => {
    const short = renderer({ timeoutMs: 5_000, settleMs: 2_000 })
    await expect(short.show(fetched('for (;;) {}'), signal)).rejects.toMatchObject({ code: 'timeout' })
    expect(warned.join()).toContain('a browser did not show a page')
    // At its limit of memory a script gets an error, or the page ends.
    const grow = "const all = []; for (;;) all.push(new Uint8Array(50e6).fill(1), 'x'.repeat(1e6).split(''))"
    await shared.show(fetched(grow), signal).catch((error: unknown) => expect(error).toMatchObject({ code: 'fetch_failed' }))
    for (const each of [short, shared]) {
      const { html } = await each.show(fetched(write("'and on it goes'")), signal)
      expect(html).toContain('and on it goes')
    }
  })

  it('that is never idle is read as it is', async () => {
    site.pages.set('/poll', (response) => void setTimeout(() => response.end('again'), 100))
    const script = `${write("'ticking'")} const poll = () => fetch('/poll').then(poll); poll(); setInterval(() => fetch('/poll'), 150)`
    const { html } = await renderer({ settleMs: 1_500 }).show(fetched(script), signal)
    expect(html).toContain('ticking')
  })

  it('that loads too much is refused', async () => {
    site.pages.set('/big', (response) => response.end(Buffer.alloc(3_000_000, 'x')))
    const script = `fetch('/big').then((reply) => reply.text()).finally(() => { ${write("'done'")} })`
    await expect(renderer({ maxBytes: 1_000_000 }).show(fetched(script), signal)).rejects.toMatchObject({ code: 'too_large' })
  })

  it('is closed when its caller aborts', async () => {
    const leaving = new AbortController()
    site.pages.set('/wait', () => leaving.abort(new Error('left')))
    await expect(renderer().show(fetched("fetch('/wait')"), leaving.signal)).rejects.toThrow('left')
  })
})

describe.skipIf(chromiumPath === undefined)('the guard of Chromium', () => {
  it('blocks every kind of request to addresses that are not public', async () => {
    const hits: string[] = []
    const inside = await listener('127.0.0.1', hits)
    const inside6 = await listener('::1', hits)
    const udp = createSocket('udp4', (message) => void hits.push(`udp ${message.length}`)).bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const { port } = inside.address() as AddressInfo
    const { port: port6 } = inside6.address() as AddressInfo
    const udpPort = udp.address().port
    const redirect = (path: string, location: string) =>
      site.pages.set(path, (response) => response.writeHead(302, { location, 'access-control-allow-origin': '*' }).end())
    redirect('/to-loopback', `http://127.0.0.1:${port}/redirected`)
    redirect('/to-metadata', 'http://169.254.169.254/latest/meta-data/')
    redirect('/to-name', `http://inside.example:${port}/redirected-name`)
    const hosts = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `[::1]:${port6}`,
      `[::ffff:127.0.0.1]:${port}`,
      `2130706433:${port}`,
      `inside.example:${port}`,
      `0.0.0.0:${port}`,
      '169.254.169.254',
      '10.0.0.1',
      'metadata.google.internal',
    ]
    const script = `
      const hosts = ${JSON.stringify(hosts)}
      const tries = []
      // Some of them wait without traffic: the page must not count as idle before all are tried.
      const beat = setInterval(() => fetch('/beat').catch(() => {}), 100)
      const soon = (promise) => tries.push(Promise.race([promise, new Promise((done) => setTimeout(done, 3000))]).catch(() => {}))
      const element = (html) => document.body.insertAdjacentHTML('beforeend', html)
      for (const host of hosts) for (const scheme of ['http', 'https']) {
        const url = scheme + '://' + host
        soon(fetch(url + '/fetch', { mode: 'no-cors' })); soon(fetch(url + '/post', { mode: 'no-cors', method: 'POST', body: 'x' }))
        element('<img src="' + url + '/img"><iframe src="' + url + '/frame"></iframe><link rel="stylesheet" href="' + url + '/css">')
        element('<link rel="prefetch" href="' + url + '/prefetch"><link rel="preconnect" href="' + url + '"><link rel="dns-prefetch" href="' + url + '">')
        element('<object data="' + url + '/object"></object><form action="' + url + '/form" method="post" target="_blank"></form>')
        const code = document.createElement('script'); code.src = url + '/script'; document.head.append(code)
        navigator.sendBeacon(url + '/beacon', 'x')
        new EventSource(url + '/events')
        try { const socket = new WebSocket(url.replace('http', 'ws') + '/socket'); soon(new Promise((done) => socket.onclose = done)) } catch {}
        try { new Worker('data:text/javascript,fetch("' + url + '/worker",{mode:"no-cors"})') } catch {}
        window.open(url + '/popup')
      }
      for (const path of ['/to-loopback', '/to-metadata', '/to-name']) { soon(fetch(path)); soon(fetch(path, { mode: 'no-cors' })); element('<script src="' + path + '"><' + '/script>') }
      for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1:${port}/', 'chrome://version']) { soon(fetch(url)); element('<iframe src="' + url + '"></iframe>') }
      try {
        const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }, { urls: 'turn:127.0.0.1:${port}?transport=tcp', username: 'u', credential: 'c' }] })
        peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))
      } catch {}
      try { const quic = new WebTransport('https://127.0.0.1:${udpPort}/quic'); soon(quic.ready); quic.closed.catch(() => {}) } catch {}
      document.querySelectorAll('form').forEach((form) => form.submit())
      Promise.all(tries).then(() => { clearInterval(beat); ${write("'all ' + tries.length + ' tried'")} location.href = 'http://127.0.0.1:${port}/navigated' })`
    dialled.length = 0
    const { html } = await renderer({ settleMs: 15_000 }).show(fetched(script, `http://site.example:${sitePort}/app`), signal)
    expect(html).toMatch(/all \d\d+ tried/)
    expect(hits).toEqual([])
    expect(new Set(dialled)).toEqual(new Set([`127.0.0.1:${sitePort}`]))

    // The same page where one of these is allowed: it does ask.
    const open = createOutbound({
      allowHosts: [`site.example:${sitePort}`, `127.0.0.1:${port}`],
      userAgent: 'test',
      resolve: everywhereHere,
    })
    await renderer({ outbound: open, settleMs: 15_000 }).show(fetched(script, `http://site.example:${sitePort}/app`), signal)
    await open.close()
    expect(hits).toEqual(expect.arrayContaining(['GET /fetch', 'POST /post', 'GET /css', 'GET /script', 'GET /redirected']))
    expect(hits.filter((hit) => /img|frame|object|popup|navigated|form|udp/.test(hit))).toEqual([])
    udp.close()
    for (const server of [inside, inside6]) server.close()
  }, 600_000)
})

async function listener(address: string, hits: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.end('inside')
  }).on('connection', () => void hits.push('connection'))
  server.listen(0, address)
  await once(server, 'listening')
  return server
}
