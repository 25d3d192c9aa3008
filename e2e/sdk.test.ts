import { AuthenticationError, ConflictError, Groundwork, NotFoundError, SourceFailedError, ValidationError } from '@groundwork/sdk'
import { execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createToken, engineName, freePort, pause, program, root, type Program } from './program.ts'

describe(`the SDK and the built program on the ${engineName()}`, { timeout: 600_000 }, () => {
  const ends: (() => Promise<void>)[] = []
  let groundwork: Program
  let pagesPort: number
  let client: Groundwork

  beforeAll(async () => {
    pagesPort = await freePort()
    groundwork = await program((end) => ends.push(end), { FETCH_ALLOW_HOSTS: `127.0.0.1:${pagesPort}` })
    await groundwork.start()
    client = new Groundwork({ baseUrl: groundwork.url, token: (await createToken(groundwork)).token })
  }, 600_000)
  afterAll(async () => {
    for (const end of ends) await end()
  })

  test('sends a proposal to a contact and voids it', async () => {
    const contact = await client.contacts.create({ firstName: 'Rental', lastName: 'Desk', email: 'desk@example.com' })
    const proposal = await client.proposals.create({ title: 'Six e-bikes', contactId: contact.id, totalAmount: '1260.00', currency: 'GBP' })
    expect(proposal.status).toBe('pending')
    const voided = await client.proposals.void(proposal.id, { reason: 'The dates have changed' })
    expect(voided).toMatchObject({ status: 'voided', voidReason: 'The dates have changed', totalAmount: '1260.00' })
    await expect(client.proposals.void(proposal.id, { reason: 'Again' })).rejects.toBeInstanceOf(ConflictError)
    await client.contacts.delete(contact.id)
    await expect(client.contacts.get(contact.id)).rejects.toBeInstanceOf(NotFoundError)
    expect(await client.contacts.restore(contact.id)).toMatchObject({ email: 'desk@example.com' })
  })

  test('adds, processes, searches and deletes a file and a page', async () => {
    await servePages(pagesPort)
    const base = await client.bases.create({ name: 'Staff handbook' })
    const sent: number[] = []
    const pdf = new Uint8Array(await readFile(join(root, 'examples/handbook.pdf')))
    const upload = await client.uploads.create(pdf, { name: 'handbook.pdf', onProgress: ({ sentBytes }) => sent.push(sentBytes) })
    expect([sent[0], sent.at(-1)]).toEqual([0, pdf.length])
    const handbook = await client.bases.sources.create(base.id, { name: 'Handbook', type: 'file', storageUrl: upload.storageUrl })
    const url = `http://127.0.0.1:${pagesPort}/opening-hours.html`
    const hours = await client.bases.sources.create(base.id, { name: 'Opening hours', type: 'url', url })

    const stages = new Set<string>()
    const processed = await client.bases.sources.waitUntilProcessed(base.id, handbook.id, { onProgress: ({ stage }) => stages.add(stage) })
    expect(processed).toMatchObject({ status: 'completed', mediaType: 'application/pdf' })
    expect(stages).toContain('done')
    await client.bases.sources.waitUntilProcessed(base.id, hours.id)
    const names: string[] = []
    for await (const source of client.bases.sources.list(base.id, { limit: 1 })) names.push(source.name)
    expect(names).toEqual(['Opening hours', 'Handbook'])

    const question = { query: 'How much is the deposit for an e-bike?', topK: 1 }
    const { data } = await client.bases.search(base.id, question)
    expect(data[0]).toMatchObject({ sourceName: 'Handbook', citation: { page: 2 } })
    expect(data[0]?.text).toContain('£350')
    await client.bases.sources.delete(base.id, handbook.id)
    const after = await client.bases.search(base.id, question)
    expect(after.data.filter(({ sourceName }) => sourceName === 'Handbook')).toEqual([])
  })

  test('a failed source has the reason', async () => {
    const base = await client.bases.create({ name: 'Empty' })
    const { storageUrl } = await client.uploads.create(new Blob([' '], { type: 'text/plain' }), { name: 'empty.txt' })
    const source = await client.bases.sources.create(base.id, { name: 'Empty', type: 'file', storageUrl })
    const failure = client.bases.sources.waitUntilProcessed(base.id, source.id)
    await expect(failure).rejects.toBeInstanceOf(SourceFailedError)
    await expect(failure).rejects.toMatchObject({ code: 'empty_content', source: { id: source.id } })
  })

  test('reads lists of both forms to the end, page by page', async () => {
    for (const lastName of ['One', 'Two', 'Three', 'Four', 'Five'])
      await client.contacts.create({ firstName: 'Page', lastName, tags: ['paged', lastName] })
    const seen: (string | null)[] = []
    for await (const { lastName } of client.contacts.list({ tag: ['paged'], limit: 2 })) seen.push(lastName)
    expect(seen).toEqual(['Five', 'Four', 'Three', 'Two', 'One'])
    const page = await client.contacts.list({ tag: 'paged', limit: 2, count: true }).page()
    expect(page).toMatchObject({ totalCount: 5, data: [{ lastName: 'Five' }, { lastName: 'Four' }] })
    const next = await client.contacts.list({ tag: 'paged', limit: 4, cursor: page.nextCursor ?? '' }).page()
    expect(next.data.map(({ lastName }) => lastName)).toEqual(['Three', 'Two', 'One'])
    expect(next.nextCursor).toBeNull()
  })

  test('an error response is a typed error with the request id of the log', async () => {
    const refusal = await client.contacts.create({ email: 'nobody' }).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ValidationError)
    expect(refusal).toMatchObject({ status: 422, code: 'validation_error', field: 'email' })
    const { requestId } = refusal as ValidationError
    expect(requestId).toMatch(/^req_/)
    await expect.poll(() => groundwork.output()).toContain(requestId)
    const stranger = new Groundwork({ baseUrl: groundwork.url, token: 'gw_nothing' })
    await expect(stranger.contacts.list().page()).rejects.toBeInstanceOf(AuthenticationError)
  })

  test('follows events across a restart of the program, each once', async () => {
    const end = new AbortController()
    const seen: (string | null)[] = []
    const following = (async () => {
      for await (const { data } of client.events.stream({ types: ['contact.created'], signal: end.signal })) {
        seen.push(data.lastName)
        if (seen.length === 1) void groundwork.kill().then(() => groundwork.start())
        if (data.lastName === 'Last') end.abort()
      }
    })()
    const add = (lastName: string): Promise<unknown> =>
      client.contacts.create({ firstName: 'Followed', lastName }, { maxRetries: 20, idempotencyKey: lastName })
    let count = 0
    for (; seen.length === 0; count++) await add(`Before${count}`)
    // Whether acknowledged or not, each contact is created once and has one event.
    for (const lastName of ['During', 'Last']) await add(lastName)
    await following
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.slice(-2)).toEqual(['During', 'Last'])
  })

  test('waits with events and few requests', async () => {
    const requested: string[] = []
    const counting = new Groundwork({
      baseUrl: groundwork.url,
      token: (await createToken(groundwork)).token,
      fetch: (input, init) => {
        const { method, url } = new Request(input, init)
        requested.push(`${method} ${new URL(url).pathname}`)
        return fetch(input, init)
      },
    })
    const base = await client.bases.create({ name: 'Told' })
    const pdf = new Uint8Array(await readFile(join(root, 'examples/handbook.pdf')))
    const { storageUrl } = await client.uploads.create(pdf, { name: 'handbook.pdf' })
    const ragSettingsOverride = { chunkSize: 64, chunkOverlap: 0 }
    const sources = await Promise.all(
      ['One', 'Two'].map((name) => client.bases.sources.create(base.id, { name, type: 'file', storageUrl, ragSettingsOverride })),
    )
    await Promise.all(sources.map(({ id }) => counting.bases.sources.waitUntilProcessed(base.id, id)))
    expect(requested.filter((request) => request === 'GET /v1/events/stream').length).toBeLessThanOrEqual(1)
    expect((await client.bases.get(base.id)).stats.sources).toBe(2)
  })

  test('waits with a token that cannot read events', async () => {
    const scopes = 'bases:write,sources:read,sources:write'
    const limited = new Groundwork({ baseUrl: groundwork.url, token: (await createToken(groundwork, '--scopes', scopes)).token })
    const base = await limited.bases.create({ name: 'Unheard' })
    const { storageUrl } = await limited.uploads.create(new Blob(['The workshop opens at nine.']), { name: 'a.txt' })
    const source = await limited.bases.sources.create(base.id, { name: 'Workshop', type: 'file', storageUrl })
    expect(await limited.bases.sources.waitUntilProcessed(base.id, source.id)).toMatchObject({ status: 'completed' })
  })

  test('runs in a context with web globals and without Node.js', async () => {
    const { token } = await createToken(groundwork)
    const words = ['--experimental-vm-modules', '--no-warnings', '--import', 'tsx', 'e2e/bare-context.ts', groundwork.url, token]
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: root })
    expect(JSON.parse(stdout)).toEqual({
      status: 'completed',
      text: 'The workshop opens at nine.',
      names: ['Hours'],
      seen: ['source.completed'],
      sent: [0, 27],
      refusal: 'validation_error',
      forged: 'missing_header',
    })
  })

  test('waits during a restart of the program', async () => {
    const base = await client.bases.create({ name: 'Restarted' })
    const { storageUrl } = await client.uploads.create(new TextEncoder().encode('The workshop opens at nine.').buffer, { name: 'a.txt' })
    const source = await client.bases.sources.create(base.id, { name: 'Workshop', type: 'file', storageUrl })
    await groundwork.kill()
    const processed = client.bases.sources.waitUntilProcessed(base.id, source.id)
    await groundwork.start()
    expect(await processed).toMatchObject({ status: 'completed' })
  })
})

async function servePages(port: number): Promise<void> {
  const pages = spawn(process.execPath, ['examples/serve.mjs', String(port)], { cwd: root, stdio: 'ignore' })
  onTestFinished(() => void pages.kill())
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
  while (!(await answers())) {
    if (pages.exitCode !== null) throw new Error('the pages are not served')
    await pause(50)
  }
}

test('the built SDK only imports its own files and uses no Node.js API', async () => {
  const files = new Map<string, string>()
  const read = async (file: string): Promise<void> => {
    if (files.has(file)) return
    const code = (await readFile(file, 'utf8')).replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
    files.set(file, code)
    for (const [, from = ''] of code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      expect(from, file).toMatch(/^\.\/[\w-]+\.js$/)
      await read(join(dirname(file), from))
    }
  }
  await read(join(root, 'sdk/dist/index.js'))
  expect([...files.keys()].length).toBeGreaterThan(5)
  for (const [file, code] of files) expect(code, file).not.toMatch(/node:|\brequire\b|\bzod\b|\bprocess\.|\bBuffer\b|import\.meta/)
  const { dependencies } = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8')) as { dependencies?: object }
  expect(dependencies).toBeUndefined()
})
