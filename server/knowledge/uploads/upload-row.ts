import { wireId } from '@groundwork/api'
import type { Selectable } from 'kysely'
import type { UploadTable } from '../../db/schema.ts'
import { AppError } from '../../lib/errors.ts'

export type UploadRow = Selectable<UploadTable>

export const storageUrlOf = (uploadId: string): string => `groundwork://uploads/${wireId('upl', uploadId)}`

/** Returns the id of the upload in a storageUrl; undefined if it is none. */
export const idOf = (storageUrl: string): string | undefined =>
  /^groundwork:\/\/uploads\/upl_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/.exec(storageUrl)?.[1]

export const noSuchUpload = (): AppError => new AppError('not_found', 'The upload does not exist.')

export const wrongSize = (announced: number, sent: string): AppError =>
  new AppError('bad_request', `sizeBytes is ${announced}, but ${sent} bytes were sent`, { field: 'sizeBytes' })
