import { URI, type TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { ownerQuery } from '../db/owner-query.ts'
import { checkSecrets } from '../doctor/secrets.ts'
import { newId } from '../lib/ids.ts'
import { seal, type SecretKeys } from '../lib/secrets.ts'
import { answerPlace } from '../idempotency/answers.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { issueAlone, acceptanceOf, pendingProposal } from '../testing/certificates.ts'
import { browse, cookieOf, password, person } from '../testing/people.ts'
import { pdfSignerPlace } from '../pdf/signer.ts'
import { pageClient, sendProposalTo } from '../testing/proposal-page.ts'
import { openSecret } from '../webhooks/secret.ts'
import { countSealed, rotateSecretKey, type ColumnCount } from './rotate-secret-key.ts'
import { openSecretKey, openSharedSecretKey, secretKeyCheck } from './secret-key.ts'

// Three programs on one database, in the order of a rotation: with the former key, with both, and with the new key.
const former = await testApp()
const { database, platform } = former
const query = ownerQuery(database.pool)
const formerKey = platform.secretKey.current
const newKey = 'the key after the rotation, long enough'
const sharing = (secretKey: SecretKeys) => ({
  store: { database, files: platform.storage, secretKey, close: async () => undefined },
})
const [onlyFormer, both, onlyNew] = [
  { current: formerKey, previous: null },
  { current: newKey, previous: formerKey },
  { current: newKey, previous: null },
]
const during = await testApp(sharing(both))
const after = await testApp(sharing(onlyNew))

const settings = ({ current, previous }: SecretKeys) => ({ query, dataDir: '', setting: current, previous: previous ?? undefined })
const rotation = (keys: SecretKeys, progress: (count: ColumnCount) => void = () => undefined) => ({ query, keys, progress })
const total = (counts: readonly ColumnCount[], field: 'former' | 'values' | 'unreadable'): number =>
  counts.reduce((sum, count) => sum + count[field], 0)

let address = 0
function signIn({ app }: TestApp, path: string, body: object, cookie = '') {
  address += 1
  const headers = { origin: 'http://groundwork.test', cookie }
  return app.inject({ method: 'POST', url: `/auth${path}`, remoteAddress: `203.0.113.${address}`, headers, payload: body })
}

const codeOf = (uri: string): string => (URI.parse(uri) as TOTP).generate()
const me = ({ app }: TestApp, cookie: string) => browse(app, { method: 'GET', path: '/v1/me', headers: { cookie } })

interface Used {
  readonly email: string
  readonly cookie: string
  readonly totpURI: string
  readonly backupCodes: string[]
}

/** A user with a second factor, and the session cookie. */
async function userWithSecondFactor(): Promise<Used> {
  const { email, cookie } = await person(former)
  const begun = (await signIn(former, '/two-factor/enable', { password }, cookie)).json()
  const enabled = await signIn(former, '/two-factor/verify-totp', { code: codeOf(begun.totpURI) }, cookie)
  return { email, cookie: cookieOf(enabled.headers['set-cookie']), totpURI: begun.totpURI, backupCodes: begun.backupCodes }
}

/** Returns the statuses of a sign-in with an authenticator code and of one with a backup code. */
async function signInWithBoth(service: TestApp, { email, totpURI, backupCodes }: Used): Promise<number[]> {
  const pending = async (): Promise<string> =>
    cookieOf((await signIn(service, '/sign-in/email', { email, password })).headers['set-cookie'])
  // Each code is accepted once, and the tests sign in several times within 30 seconds.
  await service.database.pool.query('update identity.two_factor set last_step = null')
  const totp = await signIn(service, '/two-factor/verify-totp', { code: codeOf(totpURI) }, await pending())
  const backup = await signIn(service, '/two-factor/verify-backup-code', { code: backupCodes.shift() }, await pending())
  return [totp.statusCode, backup.statusCode]
}

async function upload({ app }: TestApp, url: string): Promise<number> {
  const { pathname } = new URL(url)
  const headers = { 'content-type': 'application/octet-stream' }
  return (await app.inject({ method: 'PUT', url: pathname, headers, payload: 'hello' })).statusCode
}

describe('a rotation of the secret key', () => {
  it('keeps sessions, second factors, links, stored responses and secrets working, and makes the former key useless', async () => {
    await openSecretKey(settings(onlyFormer))
    const caller = await former.organization()
    const user = await userWithSecondFactor()
    // A user who does not sign in meanwhile.
    await userWithSecondFactor()
    const signer = seal('', { secretKey: onlyFormer, ...pdfSignerPlace })
    await database.pool.query('insert into installation.pdf_signer (sealed_p12, created_at) values ($1, now())', [signer])
    const headers = { 'idempotency-key': newId() }
    const keyed = { method: 'POST' as const, url: '/v1/contacts', payload: { email: 'ada@example.com' } }
    const replayed = async ({ app }: TestApp) => {
      const { statusCode, body } = await app.inject({ ...keyed, headers: { ...headers, authorization: `Bearer ${caller.token}` } })
      return [statusCode, body]
    }
    const created = await replayed(former)
    const { body: erased } = await caller.call('POST', '/v1/contacts', { email: 'erased@example.com' })
    await caller.call('POST', `/v1/contacts/${erased.id}/erase`, { preventReimport: true })
    const hook = { url: 'https://93.184.215.14/hook', eventTypes: ['contact.created'] }
    const { body: endpoint } = await caller.call('POST', '/v1/webhooks', hook)
    const { body: rotated } = await caller.call('POST', `/v1/webhooks/${endpoint.id}/rotate-secret`, { overlapSeconds: 3600 })
    const link = await sendProposalTo(caller, {})
    await issueAlone(caller, acceptanceOf(await pendingProposal(caller)))
    const ticket = async (): Promise<string> =>
      (await caller.call('POST', '/v1/uploads', { fileName: 'a.txt', sizeBytes: 5 })).body.uploadUrl

    // A program with both keys.
    await expect(openSharedSecretKey(settings(both))).rejects.toThrow('SECRET_KEY: no program has started with this key yet.')
    await expect(openSecretKey(settings(onlyNew))).rejects.toThrow('is not the one that this database was set up with')
    expect(await openSecretKey(settings(both))).toEqual(both)
    expect(await replayed(during)).toEqual(created)
    expect(await upload(during, await ticket())).toBe(204)
    expect(await signInWithBoth(during, user)).toEqual([200, 200])
    const seen = await me(during, user.cookie)
    expect([seen.status, (await pageClient(during.app).get(link.url)).status]).toEqual([200, 200])
    const cookie = cookieOf(seen.headers['set-cookie'])
    expect(String(seen.headers['set-cookie'])).toMatch(/; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toBe(user.cookie)
    expect(await me(after, user.cookie)).toMatchObject({ status: 401 })
    await expect(openSecretKey(settings(onlyNew))).rejects.toThrow('SECRET_KEY_PREVIOUS: the rotation of the secret key is not finished.')
    await expect(openSecretKey(settings(onlyFormer))).rejects.toThrow(
      'SECRET_KEY_PREVIOUS: the rotation of the secret key is not finished.',
    )
    expect(await openSecretKey(settings({ current: formerKey, previous: newKey }))).toEqual({ current: formerKey, previous: newKey })
    expect(await checkSecrets(settings(both))).toMatchObject([{ check: 'secret_key', subject: 'SECRET_KEY_PREVIOUS' }])

    const before = await countSealed(rotation(both))
    expect(before.filter((count) => count.former === 0)).toEqual([])
    const counts = await rotateSecretKey(rotation(both))
    expect(counts.map(({ resealed }) => resealed)).toEqual(before.map((count) => count.former))
    expect(total(await countSealed(rotation(both)), 'former')).toBe(0)
    expect(await checkSecrets(settings(both))).toEqual([])

    // A program with the new key.
    expect(await openSecretKey(settings(onlyNew))).toEqual(onlyNew)
    expect(await openSharedSecretKey(settings(both))).toEqual(both)
    await expect(openSecretKey(settings(onlyFormer))).rejects.toThrow('is not the one that this database was set up with')
    expect(await replayed(after)).toEqual(created)
    const again = { matchOn: 'email', contacts: [{ email: 'erased@example.com' }] }
    const authorization = `Bearer ${caller.token}`
    const batch = await after.app.inject({ method: 'POST', url: '/v1/contacts/batch', headers: { authorization }, payload: again })
    expect(batch.json().data).toMatchObject([{ status: 422, error: { field: 'email', message: expect.stringMatching(/^erased: /) } }])
    expect(await signInWithBoth(after, user)).toEqual([200, 200])
    expect((await me(after, cookie)).status).toBe(200)
    expect((await pageClient(after.app).get(link.url)).status).toBe(404)
    const stored = await query<{ id: string; secret: Buffer; previous: Buffer }>(
      'select id, secret, previous_secret as previous from webhook_endpoint',
    )
    const owner = { secretKey: onlyNew, organizationId: caller.organizationId, endpointId: stored[0]?.id ?? '' }
    expect(stored.flatMap((row) => [openSecret(row.secret, owner), openSecret(row.previous, owner)])).toEqual([
      rotated.secret,
      endpoint.secret,
    ])
    await issueAlone(
      { ...caller, ctx: { ...after.platform, organizationId: caller.organizationId } },
      acceptanceOf(await pendingProposal(caller)),
    )

    // Every value is unreadable with the former key alone, except answers that the first program has stored since.
    const withFormer = await countSealed(rotation(onlyFormer))
    const since = (await countSealed(rotation(onlyNew))).map(({ unreadable }) => unreadable)
    expect(withFormer.map(({ values, unreadable }) => values - unreadable)).toEqual(since)
    expect(since.slice(0, -1).every((count) => count === 0)).toBe(true)
  })

  it('goes on after a stop, in batches, and waits for rows that a transaction has locked', async () => {
    const { organizationId } = await former.organization()
    await database.pool.query('truncate idempotency_answer')
    await query('update installation.identity set secret_key_check = $1', [secretKeyCheck(formerKey)])
    await openSecretKey(settings(both))
    const keys = Array.from({ length: 450 }, () => newId())
    const answers = keys.map((key) => seal('{}', { secretKey: onlyFormer, ...answerPlace(organizationId, key) }))
    await database.pool.query(
      `insert into idempotency_answer (organization_id, key, request_hash, answer, created_at)
       select $1, key, '', answer, now() from unnest($2::text[], $3::bytea[]) as v (key, answer)`,
      [organizationId, keys, answers],
    )
    const stopped = rotation(both, ({ name, values }) => {
      if (name === 'stored responses (Idempotency-Key)' && values >= 200) throw new Error('stopped')
    })
    await expect(rotateSecretKey(stopped)).rejects.toThrow('stopped')
    expect((await countSealed(rotation(both))).at(-1)).toMatchObject({ values: 450, former: 250 })
    await expect(openSecretKey(settings(onlyNew))).rejects.toThrow('is not finished')

    const client = await database.pool.connect()
    await client.query('begin')
    await client.query('select from idempotency_answer where key = $1 for update', [keys.toSorted().at(-1)])
    const rotated = rotateSecretKey(rotation(both))
    await client.query('commit')
    client.release()
    expect((await rotated).at(-1)).toMatchObject({ values: 450, resealed: 250 })
    expect((await countSealed(rotation(onlyNew))).at(-1)).toMatchObject({ values: 450, unreadable: 0 })
    expect(await openSecretKey(settings(onlyNew))).toEqual(onlyNew)
  })
})
