import { oneOf, optionalText, optionalTexts } from '../../lib/search-params.ts'

/** The state of an import that has not started, in the URL: reloading the page or going back keeps it. */
export interface ImportSearch {
  /** The id of the uploaded file. */
  upload?: string | undefined
  /** The id of the latest dry run. */
  check?: string | undefined
  step?: 'preview' | undefined
  /** Settings that the dry run does not return. */
  tags?: string[] | undefined
  country?: string | undefined
}

export const importSearch = (search: Record<string, unknown>): ImportSearch => ({
  upload: optionalText(search['upload']),
  check: optionalText(search['check']),
  step: oneOf(['preview'], search['step']),
  tags: optionalTexts(search['tags']),
  country: optionalText(search['country']),
})

const uploadUrl = 'groundwork://uploads/'

export const uploadIdOf = (storageUrl: string): string => storageUrl.slice(uploadUrl.length)
export const storageUrlOf = (uploadId: string): string => `${uploadUrl}${uploadId}`
