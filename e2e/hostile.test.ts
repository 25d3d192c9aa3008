import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { hostileDocuments } from './hostile-documents.ts'
import { createToken, engineName, freePort, program } from './program.ts'

const maxMb = 1024

test('concurrent hostile documents only fail their own jobs; the worker survives in less than 1 GB', async () => {
  const apart = engineName() === 'PostgreSQL'
  const api = await program(onTestFinished, { LOG_LEVEL: 'info', ROLE: apart ? 'api' : 'all' })
  const worker = apart ? await program(onTestFinished, { ...api.env, ROLE: 'worker', PORT: String(await freePort()) }) : api
  await api.start()
  if (apart) await worker.start()
  const client = new Client(api.url, (await createToken(api)).token)
  const base = await client.createBase('hostile')
  const documents = await hostileDocuments()
  const sources = await Promise.all(documents.map(({ name, bytes }) => client.addFile(base.id, name, 'application/octet-stream', bytes)))
  const settled = await Promise.all(sources.map(({ id }) => client.settled(base.id, id, 1_200_000)))
  const dishonest = settled.filter(({ status, errorCode, error, chunksCount }) =>
    status === 'completed' ? chunksCount === 0 : status !== 'failed' || !errorCode || errorCode === 'internal' || !error,
  )
  expect(dishonest).toEqual([])
  const codes = new Map(settled.map(({ name, status, errorCode }) => [name, errorCode ?? status]))
  expect(
    Object.fromEntries(
      ['unpacks-to-400-mb.pdf', 'cut-short.docx', 'noise.bin', 'nothing.txt', 'deep.html'].map((name) => [name, codes.get(name)]),
    ),
  ).toEqual({
    'unpacks-to-400-mb.pdf': 'too_large',
    'cut-short.docx': 'corrupt_file',
    'noise.bin': 'unsupported_type',
    'nothing.txt': 'empty_content',
    'deep.html': 'completed',
  })
  const peakMb = await worker.peakMb()
  if (peakMb !== null) expect(peakMb).toBeLessThan(maxMb)
  const last = await client.addFile(base.id, 'after.txt', 'text/plain', Buffer.from('The ramp is in the yard.'))
  expect(await client.settled(base.id, last.id)).toMatchObject({ status: 'completed' })
  expect(await worker.stop()).toBe(0)
}, 1_500_000)
