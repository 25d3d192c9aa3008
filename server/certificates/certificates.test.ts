import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newId } from '../lib/ids.ts'
import { testApp, type Caller } from '../testing/app.ts'
import { acceptanceOf, isSigned, issueAlone, pendingProposal } from '../testing/certificates.ts'
import { issueCertificate } from './issue.ts'
import { rotateSigningKey } from './rotate.ts'
import { signingKeyId } from './signing-key.ts'

const { organization, app, database, platform } = await testApp()

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const readKeys = async () => (await app.inject({ url: '/.well-known/groundwork-keys.json' })).json().keys

async function chainOf({ organizationId }: Caller): Promise<{ json: string; sequence: number }[]> {
  const { rows } = await database.pool.query('select json, sequence from certificate where organization_id = $1 order by sequence', [
    organizationId,
  ])
  return rows
}

describe('issueCertificate', () => {
  it('signs content, organization, proposal and signers', async () => {
    const caller = await organization()
    const proposalId = await pendingProposal(caller)
    const acceptance = acceptanceOf(proposalId)
    const { id, hash, json } = await issueAlone(caller, acceptance)
    const { certificate, signature } = JSON.parse(json)
    expect(certificate).toEqual({
      format: 'groundwork-certificate/1',
      id: `crt_${id}`,
      sequence: 1,
      previousHash: null,
      issuedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      keyId: expect.stringMatching(/^[\w-]{43}$/),
      publicKey: expect.stringMatching(/^[\w-]{43}$/),
      organization: { id: `org_${caller.organizationId}`, name: expect.any(String) },
      proposal: { id: `prp_${proposalId}`, number: 'P-1001' },
      contentHash: acceptance.contentHash,
      content: JSON.parse(acceptance.canonicalContent),
      signers: acceptance.signers,
    })
    expect([hash, signature]).toEqual([sha256(json), expect.stringMatching(/^[\w-]{86}$/)])
    expect(isSigned(json)).toBe(true)
    expect(isSigned(json.replace('Ada', 'Eve'))).toBe(false)
    expect(signingKeyId(Buffer.from(certificate.publicKey, 'base64url'))).toBe(certificate.keyId)
    expect(await readKeys()).toContainEqual(expect.objectContaining({ kid: certificate.keyId, x: certificate.publicKey, retiredAt: null }))
  })

  it('returns the existing certificate of a proposal', async () => {
    const caller = await organization()
    const proposalId = await pendingProposal(caller)
    const first = await issueAlone(caller, acceptanceOf(proposalId))
    expect(await issueAlone(caller, acceptanceOf(proposalId, { content: { title: 'Another' } }))).toEqual(first)
    expect(await chainOf(caller)).toHaveLength(1)
  })

  it('makes one chain without gaps of 50 that are issued at the same time, in each of two organizations', async () => {
    const callers = [await organization(), await organization()]
    const proposals = []
    for (const caller of callers) for (let n = 0; n < 50; n += 1) proposals.push({ caller, id: await pendingProposal(caller) })
    await Promise.all(proposals.map(({ caller, id }) => issueAlone(caller, acceptanceOf(id))))
    for (const caller of callers) {
      const chain = await chainOf(caller)
      expect(chain.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
      const hashes = chain.map(({ json }) => JSON.parse(json).certificate.previousHash)
      expect(hashes).toEqual([null, ...chain.slice(0, -1).map(({ json }) => sha256(json))])
      expect(chain.every(({ json }) => isSigned(json))).toBe(true)
    }
  })

  it('leaves no gap if its transaction fails', async () => {
    const caller = await organization()
    const [lost, kept] = [await pendingProposal(caller), await pendingProposal(caller)]
    const { ctx } = caller
    const failing = ctx.db.transaction(ctx.organizationId, async (trx) => {
      await issueCertificate(ctx, trx, acceptanceOf(lost))
      throw new Error('killed')
    })
    await expect(failing).rejects.toThrow('killed')
    await issueAlone(caller, acceptanceOf(kept))
    expect((await chainOf(caller)).map(({ sequence }) => sequence)).toEqual([1])
  })

  it('gives times that never decrease, if the clock was set back', async () => {
    const caller = await organization()
    const times = ['2999-05-25T20:14:00.000Z', '2998-01-01T00:00:00.000Z', '2999-05-25T20:14:00.001Z']
    for (const time of times) await issueAlone(caller, acceptanceOf(await pendingProposal(caller), { issuedAt: new Date(time) }))
    expect((await chainOf(caller)).map(({ json }) => JSON.parse(json).certificate.issuedAt)).toEqual([times[0], times[0], times[2]])
  })

  it.each([
    ['content that is not canonical', { canonicalContent: '{"b":1,"a":2}', contentHash: sha256('{"b":1,"a":2}') }, 'canonical JSON'],
    ['content that is no object', { canonicalContent: '[]', contentHash: sha256('[]') }, 'is an object'],
    ['a hash of other content', { contentHash: sha256('{}') }, 'contentHash is not'],
    ['no signer', { signers: [] }, 'has a signer'],
  ])('refuses %s', async (_name, changes, message) => {
    const caller = await organization()
    const proposalId = await pendingProposal(caller)
    await expect(issueAlone(caller, { ...acceptanceOf(proposalId), ...changes })).rejects.toThrow(message)
  })

  it('refuses a proposal of another organization', async () => {
    const [caller, other] = [await organization(), await organization()]
    await expect(issueAlone(caller, acceptanceOf(await pendingProposal(other)))).rejects.toThrow('a proposal of the organization')
  })
})

describe('GET /v1/proposals/{id}/certificate', () => {
  it('returns the file, and 404 before completion, for unknown proposals and those of another organization', async () => {
    const [caller, stranger] = [await organization(), await organization()]
    const id = await pendingProposal(caller)
    const path = `/v1/proposals/prp_${id}/certificate`
    expect(await caller.call('GET', path)).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: 'This proposal has no certificate, because it has not been completed.' } },
    })
    const { json, hash } = await issueAlone(caller, acceptanceOf(id))
    const response = await app.inject({ url: path, headers: { authorization: `Bearer ${caller.token}` } })
    expect([response.statusCode, response.body, response.headers.etag]).toEqual([200, json, `"${hash}"`])
    expect(response.headers['content-disposition']).toContain('certificate-P-1001.json')
    const part = await app.inject({ url: path, headers: { authorization: `Bearer ${caller.token}`, range: 'bytes=0-13' } })
    expect([part.statusCode, part.body]).toEqual([206, '{"certificate"'])
    for (const [who, where] of [
      [stranger, path],
      [caller, `/v1/proposals/${newId()}/certificate`],
    ] as const)
      expect(await who.call('GET', where)).toMatchObject({ status: 404, body: { error: { message: 'There is no such proposal.' } } })
  })
})

describe('the signing key', () => {
  const rotate = () => rotateSigningKey(database.pool, { secretKey: platform.secretKey, now: () => new Date() })

  it('is replaced: new certificates have the new key, the former public key remains, and its private part is deleted', async () => {
    const caller = await organization()
    const issue = async () =>
      JSON.parse((await issueAlone(caller, acceptanceOf(await pendingProposal(caller), { issuedAt: new Date() }))).json).certificate
    const before = await issue()
    const { id, retired } = await rotate()
    const after = await issue()
    expect([before.keyId, after.keyId]).toEqual([retired, id])
    const keys = await readKeys()
    expect(keys.filter(({ retiredAt }: { retiredAt: string | null }) => retiredAt === null)).toMatchObject([{ kid: id }])
    expect(keys.find(({ kid }: { kid: string }) => kid === retired)).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      x: before.publicKey,
      kid: retired,
      use: 'sig',
      createdAt: expect.any(String),
      retiredAt: keys.at(-1).createdAt,
    })
    const { rows } = await database.pool.query('select sealed_private_key from installation.signing_key where id = $1', [retired])
    expect(rows).toEqual([{ sealed_private_key: null }])
  })

  it('has no certificate outside the time of its use, if it is replaced while certificates are issued', async () => {
    const caller = await organization()
    const proposals = []
    for (let n = 0; n < 20; n += 1) proposals.push(await pendingProposal(caller))
    const issue = (id: string) => issueAlone(caller, acceptanceOf(id, { issuedAt: new Date() }))
    await Promise.all([...proposals.slice(0, 10).map(issue), rotate(), ...proposals.slice(10).map(issue), rotate()])
    const keys = await readKeys()
    const chain = await chainOf(caller)
    expect(chain).toHaveLength(20)
    for (const { json } of chain) {
      const { keyId, issuedAt } = JSON.parse(json).certificate
      const { createdAt, retiredAt } = keys.find(({ kid }: { kid: string }) => kid === keyId)
      expect([createdAt <= issuedAt, retiredAt === null || issuedAt <= retiredAt]).toEqual([true, true])
    }
  })

  it('is created once, if several organizations need the first one at the same time', async () => {
    await database.pool.query('truncate installation.signing_key')
    const proposals = []
    for (let n = 0; n < 8; n += 1) {
      const caller = await organization()
      proposals.push({ caller, id: await pendingProposal(caller) })
    }
    await Promise.all(proposals.map(({ caller, id }) => issueAlone(caller, acceptanceOf(id))))
    expect(await readKeys()).toHaveLength(1)
  })

  it('is inaccessible to the role of requests, which cannot change or delete certificates either', async () => {
    const caller = await organization()
    await issueAlone(caller, acceptanceOf(await pendingProposal(caller)))
    const client = await database.pool.connect()
    try {
      for (const statement of ['select 1 from installation.signing_key', `update certificate set json = ''`, 'delete from certificate']) {
        await client.query(`begin; set local role groundwork_app; set local app.organization_id = '${caller.organizationId}'`)
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' })
        await client.query('rollback')
      }
    } finally {
      client.release()
    }
  })
})
