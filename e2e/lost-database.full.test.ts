import { expect, onTestFinished, test } from 'vitest'
import { Client } from './client.ts'
import { postgresServer } from './postgres.ts'
import { createToken, program } from './program.ts'
import { allEmails, writers } from './writers.ts'

const sources = 40

test('20 rounds of terminated sessions, 8 fast restarts and 5 crashes of PostgreSQL under load end no program and lose or duplicate no write', async () => {
  const server = await postgresServer(onTestFinished)
  await server.start()
  const groundwork = await program(onTestFinished, { DATABASE_URL: server.url })
  await groundwork.start()
  const client = new Client(groundwork.url, (await createToken(groundwork)).token)
  const base = await client.createBase('under load')
  const added: string[] = []
  for (let n = 0; n < sources; n += 1) {
    const text = Array.from({ length: 30 }, (_, line) => `Shelf ${n} of the store, row ${line}: box ${n * 30 + line}.`).join('\n\n')
    added.push((await client.addFile(base.id, `${n}.txt`, 'text/plain', Buffer.from(text))).id)
  }
  const writing = writers(client, 6)
  /** Returns the milliseconds until the first caller, and until every caller, has got a 201. */
  const untilWritten = async (): Promise<[number, number]> => {
    const since = performance.now()
    const one = writing.any(1).then(() => performance.now() - since)
    await writing.more(1)
    return [await one, performance.now() - since]
  }
  const undisturbed: [number, number][] = []
  for (let round = 0; round < 10; round += 1) undisturbed.push(await untilWritten())
  const recoveries: [number, number][] = []
  for (let round = 0; round < 20; round += 1) {
    await server.terminateSessions()
    recoveries.push(await untilWritten())
    await writing.more(2)
  }
  for (let round = 0; round < 13; round += 1) {
    await server.end(round < 8 ? 'SIGINT' : 'SIGKILL')
    await server.start()
    recoveries.push(await untilWritten())
    await writing.more(2)
  }
  const acknowledged = await writing.stop()
  expect(await allEmails(client)).toEqual(acknowledged.toSorted())
  expect([...writing.refusals.keys()].filter((status) => !['503', '409'].includes(status))).toEqual([])
  for (const id of added) expect(await client.settled(base.id, id)).toMatchObject({ status: 'completed', error: null })
  const output = groundwork.output()
  expect(output).not.toContain('secretKey')
  expect(await groundwork.stop()).toBe(0)
  const lines = output.split('\n').filter((line) => line.includes('a database connection was lost'))
  console.info(`${acknowledged.length} writes acknowledged; refused ${JSON.stringify(Object.fromEntries(writing.refusals))}
    longest line of a lost connection: ${Math.max(...lines.map((line) => line.length))} characters
    until one caller, and each of six, has written: undisturbed ${summary(undisturbed)}, after a loss ${summary(recoveries)}`)
}, 1_200_000)

const summary = (measured: readonly (readonly [number, number])[]): string =>
  [0, 1]
    .map((index) => measured.map((pair) => pair[index] ?? 0).toSorted((a, b) => a - b))
    .map((sorted) => `${sorted[sorted.length >> 1]?.toFixed(0)} ms (longest ${sorted.at(-1)?.toFixed(0)})`)
    .join(' and ')
