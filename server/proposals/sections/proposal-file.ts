import { select } from '../../context.ts'
import type { FileContext } from '../../files/context.ts'
import type { FileResponse } from '../../handlers.ts'
import { AppError } from '../../lib/errors.ts'

/** @throws AppError `not_found` if the proposal has no file with this hash */
export async function getProposalFile(ctx: FileContext, proposalId: string, sha256: string): Promise<FileResponse> {
  const [file] = await select(ctx, (db) =>
    db
      .selectFrom('proposal_file')
      .select(['storage_key', 'media_type', 'size_bytes'])
      .where('proposal_id', '=', proposalId)
      .where('sha256', '=', sha256),
  )
  if (file === undefined) throw new AppError('not_found', 'The proposal has no such file.')
  return {
    name: `${sha256.slice(0, 16)}.${extensions[file.media_type]}`,
    mediaType: file.media_type,
    sizeBytes: file.size_bytes,
    etag: `"${sha256}"`,
    open: (range) => ctx.storage.open(file.storage_key, range),
  }
}

const extensions = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' } as const

/** Returns the bytes of all files of a proposal by their hash. */
export async function readProposalFiles(ctx: FileContext, proposalId: string): Promise<ReadonlyMap<string, Buffer>> {
  const files = await select(ctx, (db) =>
    db.selectFrom('proposal_file').select(['sha256', 'storage_key']).where('proposal_id', '=', proposalId),
  )
  return new Map(await Promise.all(files.map(async (file) => [file.sha256, await ctx.storage.read(file.storage_key)] as const)))
}
