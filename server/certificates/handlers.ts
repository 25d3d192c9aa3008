import { wireId, type GroundworkApi } from '@groundwork/api'
import { canonicalJson } from '@groundwork/sdk/canonical-json'
import { erasedCertificatesFormat, type ErasedCertificates } from '@groundwork/sdk/certificate'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { select, type Context } from '../context.ts'
import type { FileResponse, Handlers } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'

export const certificateHandlers: Handlers<GroundworkApi>['certificates'] = {
  get: (ctx, { params }) => getCertificate(ctx, params.id),
  erased: (ctx) => getErasedCertificates(ctx),
}

/** @throws AppError `not_found` if the proposal does not exist or has no certificate */
async function getCertificate(ctx: Context, proposalId: string): Promise<FileResponse> {
  const [row] = await select(ctx, (db) =>
    db
      .selectFrom('proposal')
      .leftJoin('certificate', (join) =>
        join.onRef('certificate.organization_id', '=', 'proposal.organization_id').onRef('certificate.proposal_id', '=', 'proposal.id'),
      )
      .select(['proposal.number', 'certificate.json', 'certificate.hash'])
      .where('proposal.id', '=', proposalId),
  )
  if (row === undefined) throw new AppError('not_found', 'There is no such proposal.')
  const { number, json, hash } = row
  if (json === null || hash === null)
    throw new AppError('not_found', 'This proposal has no certificate, because it has not been completed.')
  return jsonFile(`certificate-P-${number}.json`, json, hash)
}

/** Returns the links that erased certificates left in the chain. */
async function getErasedCertificates(ctx: Context): Promise<FileResponse> {
  const rows = await select(ctx, (db) =>
    db
      .selectFrom('organization')
      .leftJoin('certificate', (join) =>
        join.onRef('certificate.organization_id', '=', 'organization.id').on('certificate.erased_at', 'is not', null),
      )
      .select(['organization.name', 'certificate.id', 'sequence', 'hash', 'previous_hash', 'issued_at', 'erased_at'])
      .orderBy('sequence'),
  )
  const erased: ErasedCertificates = {
    format: erasedCertificatesFormat,
    organization: { id: wireId('org', ctx.organizationId), name: rows[0]?.name ?? '' },
    certificates: rows.flatMap(({ id, sequence, hash, previous_hash: previousHash, issued_at: issuedAt, erased_at: erasedAt }) =>
      id === null || sequence === null || hash === null || issuedAt === null || erasedAt === null
        ? []
        : [{ id: wireId('crt', id), sequence, hash, previousHash, issuedAt: issuedAt.toISOString(), erasedAt: erasedAt.toISOString() }],
    ),
  }
  const json = canonicalJson(erased)
  return jsonFile('erased-certificates.json', json, createHash('sha256').update(json).digest('hex'))
}

function jsonFile(name: string, json: string, hash: string): FileResponse {
  const bytes = Buffer.from(json)
  return {
    name,
    mediaType: 'application/json; charset=utf-8',
    sizeBytes: bytes.length,
    etag: `"${hash}"`,
    open: async (range) => Readable.from([range === null ? bytes : bytes.subarray(range.start, range.end + 1)]),
  }
}
