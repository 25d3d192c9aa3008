import type { GroundworkApi } from '@groundwork/api'
import { Readable } from 'node:stream'
import { select, type Context } from '../context.ts'
import type { FileResponse, Handlers } from '../handlers.ts'
import { AppError } from '../lib/errors.ts'

export const certificateHandlers: Handlers<GroundworkApi>['certificates'] = {
  get: (ctx, { params }) => getCertificate(ctx, params.id),
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
  if (json === null) throw new AppError('not_found', 'This proposal has no certificate, because it has not been completed.')
  const bytes = Buffer.from(json)
  return {
    name: `certificate-P-${number}.json`,
    mediaType: 'application/json; charset=utf-8',
    sizeBytes: bytes.length,
    etag: `"${hash}"`,
    open: async (range) => Readable.from([range === null ? bytes : bytes.subarray(range.start, range.end + 1)]),
  }
}
