import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { newSigningKey } from '../certificates/signing-key.ts'
import { ownerQuery } from '../db/owner-query.ts'
import { checkSecrets } from '../doctor/secrets.ts'
import { encryptIdentity, identitySecrets } from '../identity/second-factor.ts'
import { newId } from '../lib/ids.ts'
import { seal, type SecretKeys } from '../lib/secrets.ts'
import { runMove } from '../storage/move-command.ts'
import { movingStorage } from '../storage/moving-storage.ts'
import { localStorage, type Storage } from '../storage/storage.ts'
import { copyOfTemplate } from '../testing/template.ts'
import { sealSecret } from '../webhooks/secret.ts'
import { openInstallation } from './installation.ts'
import { replaceSecretKey } from './replace-secret-key.ts'

const [key, otherKey] = ['the key of this installation, long enough', 'another key that is just as long as the first']
const { database, close } = await copyOfTemplate({ serverUrl: inject('serverUrl'), embeddedTemplate: inject('embeddedTemplate') })
afterAll(close)
const query = ownerQuery(database.pool)
let folder = ''

beforeEach(async () => {
  // Resets the database to its state before the first start.
  await database.pool.query('update installation.identity set secret_key_check = null, store_id = null')
  await database.pool.query('truncate installation.signing_key, installation.pdf_signer')
  await database.pool.query('truncate organization, identity."user" cascade')
  folder = await mkdtemp(join(tmpdir(), 'groundwork-installation-'))
  return () => rm(folder, { recursive: true, force: true })
})

/** Starts a program with this data folder. */
async function start({ data = 'data', setting }: { data?: string; setting?: string } = {}): Promise<string> {
  const dataDir = join(folder, data)
  const { current } = await openInstallation({ query, storage: await localStorage(join(dataDir, 'files')), dataDir, setting })
  return current
}

const only = (current: string): SecretKeys => ({ current, previous: null })

async function addEndpoint(secretKey: string): Promise<string> {
  const [organizationId, endpointId] = [newId(), newId()]
  await database.pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [organizationId])
  await database.pool.query(
    `insert into webhook_endpoint (id, organization_id, url, description, secret, created_at, updated_at)
     values ($1, $2, 'https://example.com', '', $3, now(), now())`,
    [endpointId, organizationId, sealSecret('whsec_c2VjcmV0', { secretKey: only(secretKey), organizationId, endpointId })],
  )
  return endpointId
}

async function addSecondFactor(secretKey: string): Promise<string> {
  const userId = newId()
  const encrypted = await encryptIdentity('secret', identitySecrets(only(secretKey)))
  await database.pool.query(
    `insert into identity."user" (id, name, email, email_verified, two_factor_enabled, created_at, updated_at)
     values ($1, 'Test', $2, true, true, now(), now())`,
    [userId, `${userId}@example.com`],
  )
  await database.pool.query(`insert into identity.two_factor (id, user_id, secret, backup_codes) values ($1, $2, $3, 'x')`, [
    newId(),
    userId,
    encrypted,
  ])
  return userId
}

async function addSigningKey(secretKey: string): Promise<string> {
  const { id, publicKey, sealedPrivateKey } = newSigningKey(only(secretKey))
  await database.pool.query(
    'insert into installation.signing_key (id, public_key, sealed_private_key, created_at) values ($1, $2, $3, now())',
    [id, publicKey, sealedPrivateKey],
  )
  return id
}

async function addPdfSigner(secretKey: string): Promise<void> {
  const sealed = seal('', { secretKey: only(secretKey), purpose: 'PDF signer', aad: 'installation' })
  await database.pool.query('insert into installation.pdf_signer (sealed_p12, created_at) values ($1, now())', [sealed])
}

describe('the secret key', () => {
  it('is created once at the first start of several processes and stays the same', async () => {
    const keys = await Promise.all(Array.from({ length: 6 }, () => start()))
    expect(new Set(keys).size).toBe(1)
    expect(await start()).toBe(keys[0])
    const file = join(folder, 'data/secret.key')
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual([keys[0], 0o600])
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/)
  })

  it('must be the same for all processes: of concurrent starts with different keys, those with one key succeed', async () => {
    const results = await Promise.allSettled([key, otherKey, key, otherKey].map((setting) => start({ setting })))
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect([started.length, new Set(started).size]).toEqual([2, 1])
    expect(refusals).toEqual([
      expect.stringContaining('SECRET_KEY: the key in the environment is not the one that this database was set up with'),
      expect.stringContaining('SECRET_KEY: the key in the environment is not the one that this database was set up with'),
    ])
  })

  it.each([
    ['another one', otherKey, /SECRET_KEY: the key in .*secret\.key is not the one/],
    ['an empty file', '', /SECRET_KEY: the key in .*secret\.key is empty/],
    ['a file of white space', ' \n'.repeat(40), /SECRET_KEY: the key in .*secret\.key is empty/],
    ['a short one', 'short', /SECRET_KEY: the key in .*secret\.key has 5 characters/],
    ['none', null, /SECRET_KEY: is not set, and .*secret\.key does not exist/],
  ])('is rejected if the file has %s', async (_, content, message) => {
    await start()
    const file = join(folder, 'data/secret.key')
    await (content === null ? rm(file) : writeFile(file, content))
    await expect(start()).rejects.toThrow(message)
    expect(await checkSecrets({ query, dataDir: join(folder, 'data'), setting: undefined })).toMatchObject([
      { check: 'secret_key', organizationId: null, detail: expect.stringMatching(message) },
    ])
  })

  it('of a database without a check value must decrypt its secrets', async () => {
    await addEndpoint(key)
    await addSecondFactor(key)
    await addSigningKey(key)
    await addPdfSigner(key)
    await expect(start()).rejects.toThrow(/SECRET_KEY: is not set, .* but this database holds encrypted secrets/)
    await expect(start({ setting: otherKey })).rejects.toThrow('SECRET_KEY: the key in the environment cannot decrypt 4 of 4 secrets')
    expect(await start({ setting: key })).toBe(key)
    await expect(start({ setting: otherKey })).rejects.toThrow('is not the one that this database was set up with')
  })

  it('can be replaced if lost: retires the signing key that it cannot decrypt, and no other', async () => {
    await start({ setting: key })
    const id = await addSigningKey(key)
    const options = { query, dataDir: join(folder, 'data'), setting: otherKey }
    expect(await replaceSecretKey(options)).toEqual({
      origin: 'SECRET_KEY',
      replaced: true,
      lost: [expect.objectContaining({ kind: 'signing key', id })],
    })
    const retired = 'select id from installation.signing_key where retired_at is not null and sealed_private_key is null'
    expect(await query(retired)).toEqual([{ id }])
    await addSigningKey(otherKey)
    expect([await replaceSecretKey(options), await query(retired)]).toEqual([{ origin: 'SECRET_KEY', replaced: false, lost: [] }, [{ id }]])
  })

  it('is kept in its file by a replacement, which says so, and created if the file is missing', async () => {
    const dataDir = join(folder, 'data')
    const [options, file] = [{ query, dataDir, setting: undefined }, join(dataDir, 'secret.key')]
    const first = await start()
    expect(await replaceSecretKey(options)).toEqual({ origin: file, replaced: false, lost: [] })
    expect(await start()).toBe(first)
    await rm(file)
    expect(await replaceSecretKey(options)).toEqual({ origin: file, replaced: true, lost: [] })
    expect(await start()).not.toBe(first)
  })

  it('can be replaced if lost: deletes the key that seals PDFs, which the doctor names, unless it can decrypt it', async () => {
    await start({ setting: key })
    await addPdfSigner(key)
    const options = { query, dataDir: join(folder, 'data'), setting: otherKey }
    const stored = 'select from installation.pdf_signer'
    expect([(await replaceSecretKey({ ...options, setting: key })).lost, await query(stored)]).toEqual([[], [{}]])
    expect((await replaceSecretKey(options)).lost).toMatchObject([{ kind: 'PDF signer', id: 'pdf_signer' }])
    expect(await query(stored)).toEqual([])
    await addPdfSigner(key)
    expect(await checkSecrets(options)).toEqual([
      {
        check: 'unreadable_secret',
        organizationId: null,
        subject: 'pdf_signer',
        detail: 'the key that seals PDFs cannot be decrypted; the next PDF of a completed proposal is sealed with a new one',
      },
    ])
  })

  it('must decrypt the signing key: the doctor names one that it cannot decrypt', async () => {
    await start({ setting: key })
    const id = await addSigningKey(otherKey)
    expect(await checkSecrets({ query, dataDir: join(folder, 'data'), setting: key })).toEqual([
      {
        check: 'unreadable_secret',
        organizationId: null,
        subject: id,
        detail: 'this signing key cannot be decrypted, so no proposal can be completed; run "groundwork signing-key rotate"',
      },
    ])
  })

  it('can be replaced if lost: turns off second factors and lists webhook endpoints', async () => {
    await start({ setting: key })
    const [endpointId, userId] = [await addEndpoint(key), await addSecondFactor(key)]
    const kept = await addEndpoint(otherKey)
    const options = { query, dataDir: join(folder, 'data'), setting: otherKey }
    const { lost } = await replaceSecretKey(options)
    expect(lost.map(({ kind }) => kind).toSorted()).toEqual(['second factor', 'webhook endpoint'])
    expect(await start({ setting: otherKey })).toBe(otherKey)
    const { rows } = await database.pool.query(`select two_factor_enabled from identity."user" where id = $1`, [userId])
    expect(rows).toEqual([{ two_factor_enabled: false }])
    const findings = await checkSecrets(options)
    expect(findings).toMatchObject([{ check: 'unreadable_secret', subject: endpointId }])
    expect(kept).not.toBe(endpointId)
  })
})

describe('the files', () => {
  it('are accepted by every process that shares them and rejected for another database', async () => {
    await Promise.all(Array.from({ length: 4 }, () => start({ setting: key })))
    await start({ setting: key })
    await expect(start({ data: 'apart', setting: key })).rejects.toThrow(
      /DATA_DIR: the files in .*apart\/files are not those of this database/,
    )
    // Follows the advice of the message for files restored without their id.
    await cp(join(folder, 'data/files/store.id'), join(folder, 'apart/files/store.id'))
    await start({ data: 'apart', setting: key })
  })

  it('are not accepted in a new place alone before they are moved there', async () => {
    await start({ setting: key })
    const [former, place] = [await localStorage(join(folder, 'data/files')), await localStorage(join(folder, 'new'))]
    const open = (storage: Storage) => openInstallation({ query, storage, dataDir: join(folder, 'data'), setting: key })
    await open(movingStorage(place, former))
    await runMove(former, place, { json: true, whole: false })
    await expect(open(place)).rejects.toThrow(
      /has no id.* set STORAGE_URL_PREVIOUS to the former one until `groundwork storage move` has ended/,
    )
    await runMove(former, place, { json: true, whole: true })
    await open(place)
  })

  it('of concurrent starts on an empty database without shared files are accepted for one process', async () => {
    const results = await Promise.allSettled(['one', 'two', 'three'].map((data) => start({ data, setting: key })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('of a database without a store id must contain its newest files', async () => {
    const [organizationId, baseId, sourceId] = [newId(), newId(), newId()]
    const { pool } = database
    await pool.query(`insert into organization (id, name, created_at) values ($1, 'Test', now())`, [organizationId])
    await pool.query(
      `insert into base (organization_id, id, name, rag_settings, created_at, updated_at) values ($1, $2, 'B', '{}', now(), now())`,
      [organizationId, baseId],
    )
    await pool.query(
      `insert into source (organization_id, base_id, id, name, type, status, stage, created_at, updated_at, stage_started_at)
       values ($1, $2, $3, 'S', 'file', 'processing', 'queued', now(), now(), now())`,
      [organizationId, baseId, sourceId],
    )
    await pool.query(
      `insert into document (organization_id, base_id, source_id, generation, ordinal, original_key)
       select organization_id, base_id, id, generation, 0, $2 from source where id = $1`,
      [sourceId, `${organizationId}/originals/a`],
    )
    await (await localStorage(join(folder, 'data/files'))).write(`${organizationId}/originals/a`, Buffer.from('x'))
    await expect(start({ data: 'apart', setting: key })).rejects.toThrow(/DATA_DIR: .*None of its newest files exists/)
    await start({ setting: key })
    await expect(start({ data: 'apart', setting: key })).rejects.toThrow('DATA_DIR: ')
  })
})

it('leaves no temporary files', async () => {
  await Promise.all([start(), start()])
  expect((await readdir(join(folder, 'data'), { recursive: true })).toSorted()).toEqual(['files', 'files/store.id', 'secret.key'])
})
