import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { importedPackages, printsImports } from './imported-packages.ts'
import { createToken, program } from './program.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[]
}

/** Starts a receiver of OTLP over HTTP, which also receives webhooks at `/hook`. */
async function startReceiver() {
  const spans: Span[] = []
  const hooks: IncomingHttpHeaders[] = []
  let status = 200
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => (body += part.toString()))
    request.on('end', () => {
      if (request.url === '/hook') hooks.push(request.headers)
      else if (status === 200)
        for (const { scopeSpans } of JSON.parse(body).resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
      response.writeHead(request.url === '/hook' ? 200 : status, { 'content-type': 'application/json' }).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => void server.close(() => server.closeAllConnections()))
  const { port } = server.address() as AddressInfo
  return { spans, hooks, port, refuse: () => (status = 400) }
}

test('requests, statements, jobs and outbound requests are traced, without data of customers', async () => {
  const receiver = await startReceiver()
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}`,
    // The library reads it: spans are sent after 50 ms instead of 5 s.
    OTEL_BSP_SCHEDULE_DELAY: '50',
    FETCH_ALLOW_HOSTS: `127.0.0.1:${receiver.port}`,
  }
  const groundwork = await program(onTestFinished, settings, 'migrated', printsImports)
  await groundwork.start()
  const { token } = await createToken(groundwork)
  const client = new Client(groundwork.url, token)
  const hook = `http://127.0.0.1:${receiver.port}/hook`
  await client.call('POST', '/v1/webhooks', { url: hook, eventTypes: ['contact.created'] })
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const response = await fetch(`${groundwork.url}/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    body: JSON.stringify({ firstName: 'Zebulon', email: 'zebulon@example.com' }),
  })
  expect(response.status).toBe(201)
  const base = await client.createBase('Zebulon base')
  const source = await client.addFile(base.id, 'zebulon.txt', 'text/plain', Buffer.from('Zebulon opens the desk at nine.'))
  await client.settled(base.id, source.id)

  const named = (name: string): Span[] => receiver.spans.filter((span) => span.name === name)
  const find = async (name: string): Promise<Span> => {
    await expect.poll(() => named(name).length).toBeGreaterThan(0)
    return named(name)[0] as Span
  }
  const valueOf = (span: Span, key: string) => Object.values(span.attributes.find((each) => each.key === key)?.value ?? {})[0]

  const request = await find('POST /v1/contacts')
  expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7', kind: 2 })
  expect(valueOf(request, 'http.response.status_code')).toBe(201)
  expect(valueOf(request, 'groundwork.request_id')).toBe(response.headers.get('x-request-id'))
  await expect.poll(() => receiver.spans.filter((span) => span.traceId === traceId && span.name === 'INSERT contact').length).toBe(1)
  expect(receiver.spans.find((span) => span.name === 'INSERT contact')).toMatchObject({ parentSpanId: request.spanId, kind: 3 })

  const sent = await find('send process-source')
  const processed = await find('process process-source')
  expect((await find('POST /v1/bases/:baseId/sources')).spanId).toBe(sent.parentSpanId)
  expect(processed.links).toMatchObject([{ traceId: sent.traceId, spanId: sent.spanId }])
  expect(processed.traceId).not.toBe(sent.traceId)
  expect(receiver.spans.filter((span) => span.parentSpanId === processed.spanId).length).toBeGreaterThan(5)

  await expect.poll(() => receiver.hooks.length).toBe(1)
  const [, hookTrace, hookSpan] = /^00-(\w+)-(\w+)-01$/.exec(String(receiver.hooks[0]?.['traceparent'])) ?? []
  await expect
    .poll(() => receiver.spans.find(({ spanId }) => spanId === hookSpan))
    .toMatchObject({ traceId: hookTrace, name: 'POST', kind: 3 })
  expect(JSON.stringify(receiver.spans)).not.toMatch(/zebulon|\/hook|nine/i)

  receiver.refuse()
  const warning = 'traces could not be sent to OTEL_EXPORTER_OTLP_ENDPOINT'
  const read = async (): Promise<boolean> => (await client.request('GET', '/v1/contacts')).ok && groundwork.output().includes(warning)
  await expect.poll(read).toBe(true)
  for (let at = 0; at < 5; at += 1) expect(await read()).toBe(true)
  expect(await groundwork.stop()).toBe(0)
  expect(groundwork.output().split(warning)).toHaveLength(2)
  expect(importedPackages(groundwork.output())).toContain('@opentelemetry/exporter-trace-otlp-http')
}, 600_000)
