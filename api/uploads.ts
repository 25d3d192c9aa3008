import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, text, Timestamp, wholeNumber } from './schemas.ts'

/** Bytes of the largest file that can be uploaded: 200 MB. */
export const maxUploadBytes = 200_000_000

const mediaType = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w-]+=(?:"[^"]*"|[\w.+-]+))*$/

const CreateUpload = z
  .strictObject({
    fileName: text(1, 255),
    contentType: text(1, 200)
      .refine((value) => mediaType.test(value), 'must be a media type such as application/pdf')
      .meta({ pattern: mediaType.source, examples: ['application/pdf'] })
      .default('application/octet-stream'),
    sizeBytes: wholeNumber(0, maxUploadBytes),
  })
  .meta({ id: 'CreateUpload', examples: [{ fileName: 'handbook.pdf', contentType: 'application/pdf', sizeBytes: 482133 }] })
export type CreateUpload = z.output<typeof CreateUpload>

export const Upload = z
  .object({
    id: idOutput('upl'),
    uploadUrl: z.string().meta({ description: 'Send the bytes here, with the method and headers given' }),
    method: z.literal('PUT'),
    headers: z.record(z.string(), z.string()),
    storageUrl: z.string().meta({
      description:
        'Give this to Add source once the bytes are sent, at the latest at expiresAt; after that, the file is kept as long as a source uses it',
    }),
    expiresAt: Timestamp,
  })
  .meta({ id: 'Upload' })
export type Upload = z.input<typeof Upload>

export const UploadStatus = z
  .object({
    id: idOutput('upl'),
    fileName: z.string(),
    contentType: z.string(),
    sizeBytes: z.number().int(),
    storageUrl: z.string(),
    receivedAt: Timestamp.nullable().meta({ description: 'When the bytes last arrived; null before they have' }),
    expiresAt: Timestamp,
    createdAt: Timestamp,
  })
  .meta({ id: 'UploadStatus' })
export type UploadStatus = z.input<typeof UploadStatus>

export const uploads = {
  create: route({
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Begin an upload',
    scope: 'sources:write',
    body: CreateUpload,
    status: 201,
    reply: Upload,
  }),
  get: route({
    method: 'GET',
    path: '/v1/uploads/{uploadId}',
    summary: 'Get an upload: whether its bytes have arrived',
    description: 'Without uploadUrl, which permits its holder to send the bytes. 404 once an upload that no source uses has expired.',
    scope: 'sources:read',
    params: z.object({ uploadId: idInput('upl') }),
    status: 200,
    reply: UploadStatus,
  }),
  put: route({
    method: 'PUT',
    path: '/v1/uploads/{uploadId}',
    summary: 'Send the bytes of an upload',
    description: 'The uploadUrl itself is the permission: no token is sent, and it ends at expiresAt.',
    scope: 'public',
    params: z.object({ uploadId: z.string().max(400).meta({ description: 'The end of uploadUrl, which is no id but a signed ticket' }) }),
    bytes: true,
    status: 204,
    errors: ['not_found', 'conflict', 'payload_too_large', 'bad_request'],
  }),
}
