import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createContext, SourceTextModule, type Module } from 'node:vm'

/** The Web Platform APIs that all runtimes provide, and nothing else: not even a console. */
const webGlobals = {
  AbortController,
  AbortSignal,
  atob,
  Blob,
  clearTimeout,
  crypto,
  fetch,
  Headers,
  ReadableStream,
  Request,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
}

const script = `
  import { Groundwork, verifyWebhook } from '@groundwork/sdk'
  const client = new Groundwork({ baseUrl, token })
  const seen = []
  const end = new AbortController()
  const following = (async () => {
    for await (const event of client.events.stream({ types: ['source.completed'], lastEventId, signal: end.signal })) {
      seen.push(event.type)
      end.abort()
    }
  })()
  const base = await client.bases.create({ name: 'Anywhere' })
  const sent = []
  const { storageUrl } = await client.uploads.create(new TextEncoder().encode('The workshop opens at nine.'), {
    name: 'hours.txt',
    onProgress: ({ sentBytes }) => sent.push(sentBytes),
  })
  const added = await client.bases.sources.create(base.id, { name: 'Hours', type: 'file', storageUrl })
  const source = await client.bases.sources.waitUntilProcessed(base.id, added.id)
  const { data } = await client.bases.search(base.id, { query: 'When does the workshop open?' })
  const names = []
  for await (const { name } of client.bases.sources.list(base.id)) names.push(name)
  await following
  const refusal = await client.contacts.create({ email: 'nobody' }).catch((error) => error)
  const forged = await verifyWebhook('{}', {}, 'whsec_AAAA').catch((error) => error)
  tell({ status: source.status, text: data[0].text, names, seen, sent, refusal: refusal.code, forged: forged.reason })
`

/** Runs the built SDK in a context without Node.js globals. Requires `--experimental-vm-modules`. */
const [baseUrl, token] = process.argv.slice(2)
const context = createContext({
  ...webGlobals,
  baseUrl,
  token,
  lastEventId: 'evt_00000000-0000-0000-0000-000000000000',
  tell: (result: unknown) => process.stdout.write(`${JSON.stringify(result)}\n`),
})
const modules = new Map<string, Promise<Module>>()

const load = (file: string): Promise<Module> => {
  const known = modules.get(file) ?? readFile(file, 'utf8').then((code) => new SourceTextModule(code, { context, identifier: file }))
  modules.set(file, known)
  return known
}
const main = new SourceTextModule(script, { context, identifier: 'script' })
await main.link((name, from) =>
  name === '@groundwork/sdk' ? load(resolve('sdk/dist/index.js')) : load(join(dirname(from.identifier), name)),
)
await main.evaluate()
