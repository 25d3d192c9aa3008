import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { moveFiles } from './move-files.ts'
import { movingStorage } from './moving-storage.ts'
import { openStorage } from './open-storage.ts'
import { parseS3Url } from './s3/settings.ts'
import { localStorage, type Storage } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'groundwork-move-'))
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
const s3 = await startS3Server()
afterAll(async () => {
  await outbound.close()
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const bucket = (prefix: string): Promise<Storage> =>
  openStorage({ kind: 's3', ...parseS3Url(s3.url(prefix)), credentials: { ...s3.credentials, sessionToken: undefined } }, outbound)
const organization = newId()
const key = (name: string | number): string => `${organization}/originals/${name}`
const progress = () => undefined

async function listed(storage: Storage): Promise<string[]> {
  const keys: string[] = []
  for await (const file of storage.files()) keys.push(file.key)
  return keys.toSorted()
}

it('moves files to a bucket and back, and leaves the former place as it is', async () => {
  const [from, to] = [await localStorage(join(folder, 'from')), await bucket('to')]
  const keys = Array.from({ length: 5 }, (_, n) => key(n))
  for (const each of keys) await from.write(each, Buffer.from(each))
  expect(await moveFiles(from, to, progress)).toMatchObject({ files: 5, present: 0 })
  expect(await moveFiles(from, to, progress)).toMatchObject({ files: 0, present: 5 })
  const back = await localStorage(join(folder, 'back'))
  expect(await moveFiles(to, back, progress)).toMatchObject({ files: 5, present: 0 })
  expect([await listed(from), await listed(to), await listed(back)]).toEqual([keys, keys, keys])
  expect((await back.read(key(3))).toString()).toBe(key(3))
})

it('loses nothing beside programs that write, read and delete', async () => {
  const [former, target] = [await localStorage(join(folder, 'former')), await bucket('target')]
  const program = movingStorage(target, former)
  for (let n = 0; n < 40; n += 1) await former.write(key(n), Buffer.from(`old ${n}`))
  await target.write(key('replaced'), Buffer.from('new'))
  await former.write(key('replaced'), Buffer.from('old'))
  const moving = moveFiles(former, target, progress)
  const work = (async () => {
    for (let n = 0; n < 40; n += 2) {
      expect((await program.read(key(n))).toString()).toBe(`old ${n}`)
      await program.delete(key(n))
      await program.write(key(`added-${n}`), Buffer.from('added'))
    }
  })()
  await Promise.all([moving, work])
  const kept = Array.from({ length: 20 }, (_, n) => key(2 * n + 1))
  const added = Array.from({ length: 20 }, (_, n) => key(`added-${2 * n}`))
  const expected = [...kept, ...added, key('replaced')].toSorted()
  expect(await listed(target)).toEqual(expected)
  expect(await listed(program)).toEqual(expected)
  expect((await program.read(key('replaced'))).toString()).toBe('new')
})

it('refuses a copy that differs', async () => {
  const [from, to] = [await localStorage(join(folder, 'right')), await bucket('wrong')]
  await from.write(key('a'), Buffer.from('right'))
  const damaging: Storage = { ...to, write: (name) => to.write(name, Buffer.from('wrong')) }
  await expect(moveFiles(from, damaging, progress)).rejects.toThrow(/The copy of .* differs/)
  expect(await to.exists(key('a'))).toBe(false)
})

it('leaves the new place without an id, and reads, holds and deletes in both', async () => {
  const [former, target] = [await localStorage(join(folder, 'named')), await bucket('named')]
  await former.createId('one')
  const program = movingStorage(target, former)
  expect([await program.readId(), await program.createId('two'), await target.readId()]).toEqual(['one', 'one', null])
  await former.write(key('a'), Buffer.from('0123'))
  await program.write(key('b'), Buffer.from('b'))
  expect([await program.exists(key('a')), await program.sizeBytes(key('a')), await program.exists(key('c'))]).toEqual([true, 4, false])
  expect(Buffer.concat(await (await program.open(key('a'), { start: 1, end: 2 })).toArray()).toString()).toBe('12')
  const held = await program.holdDeletions()
  await program.delete(key('a'))
  const seen: string[] = []
  for await (const each of held.files()) seen.push(each)
  expect(seen.toSorted()).toEqual([key('a'), key('b')])
  const { content } = await held.open(key('a'))
  expect(Buffer.concat(await content.toArray()).toString()).toBe('0123')
  await held.release()
  expect(await program.deleteOrganization(organization)).toBe(1)
  expect(await listed(program)).toEqual([])
})

it('refuses two places with different ids', async () => {
  const [former, target] = [await localStorage(join(folder, 'first-id')), await bucket('second-id')]
  await former.createId('one')
  await target.createId('two')
  await expect(movingStorage(target, former).readId()).rejects.toThrow(/two installations: their ids are one and two/)
})
