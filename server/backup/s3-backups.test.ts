import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createOutbound } from '../outbound/outbound.ts'
import { startS3Server } from '../testing/s3-server.ts'
import { backupName, checkBackups, deleteOldBackups, dueInMs, listBackups, readFailure, recordFailure } from './backup-folder.ts'
import { openBackupFile, openBackupPlace } from './open-backup-place.ts'

const s3 = await startS3Server()
const outbound = createOutbound({ allowHosts: [], userAgent: 'test' })
afterAll(async () => {
  await outbound.close()
  await s3.close()
})

const access = { outbound, credentials: { ...s3.credentials, sessionToken: undefined } }
const place = openBackupPlace(s3.url('daily'), access)
const hour = 3_600_000
const at = (hours: number): Date => new Date(Date.UTC(2026, 10, 1) + hours * hour)
const store = (name: string, content: string): Promise<void> =>
  place.file(name).store(async (target) => {
    if (!target.write(content)) await once(target, 'drain')
  })

beforeEach(() => {
  s3.objects.clear()
  s3.fault = () => null
})

it('are kept in a bucket, the newest of them', async () => {
  for (const each of [3, 1, 2]) await store(backupName(at(each)), 'x')
  await store('other.tar', 'x')
  s3.unfinished.set('1', { key: `daily/${backupName(at(4))}`, parts: new Map(), startedAt: new Date() })
  s3.unfinished.set('2', { key: 'files/groundwork-other', parts: new Map(), startedAt: new Date() })
  expect((await listBackups(place)).map((backup) => backup.at)).toEqual([at(3), at(2), at(1)])
  await deleteOldBackups(place, 2)
  expect([...s3.objects.keys()].toSorted()).toEqual([backupName(at(2)), backupName(at(3)), 'other.tar'].map((name) => `daily/${name}`))
  expect([...s3.unfinished.keys()]).toEqual(['2'])
  await recordFailure(place, 'the bucket is full')
  const record = s3.objects.get('daily/last-failure.txt')
  s3.objects.set('daily/last-failure.txt', { body: record?.body ?? Buffer.alloc(0), modifiedAt: at(26), contentType: '' })
  expect(await readFailure(place)).toEqual({ at: at(26), message: 'the bucket is full' })
  expect(await dueInMs(place, 24 * hour, at(26))).toBe(hour)
  expect(await checkBackups(place, 24 * hour, at(27))).toMatchObject([
    { subject: 's3://test-bucket/daily', detail: expect.stringContaining('the bucket is full') },
  ])
  await recordFailure(place, null)
  expect(await checkBackups(place, 24 * hour, at(27))).toEqual([])
})

it('are read by their URL', async () => {
  await store('groundwork.tar', 'content of a backup')
  const file = openBackupFile(s3.url('daily/groundwork.tar'), access)
  expect(await text(file.open())).toBe('content of a backup')
  const missing = openBackupFile(s3.url('daily/missing.tar'), access)
  await expect(text(missing.open())).rejects.toThrow('There is no backup missing.tar')
  expect(() => openBackupFile('s3://test-bucket', access)).toThrow('has no name of a backup')
  expect(() => openBackupFile('s3://test-bucket/a.tar', { outbound, credentials: null })).toThrow('AWS_ACCESS_KEY_ID')
})

it('are stored completely or not at all', async () => {
  s3.fault = ({ method }) => (method === 'PUT' ? { status: 507, code: 'QuotaExceeded' } : null)
  await expect(store('full.tar', 'x')).rejects.toMatchObject({ failure: 'full' })
  s3.fault = () => null
  const broken = place.file('broken.tar').store(async (target) => {
    target.write('half')
    throw new Error('the database is gone')
  })
  await expect(broken).rejects.toThrow('the database is gone')
  expect([...s3.objects.keys()]).toEqual([])
})
