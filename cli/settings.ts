import { Groundwork } from '@groundwork/sdk'
import type { AnyValues } from './command.ts'
import { UsageError } from './failure.ts'

/** @throws UsageError if the URL or the token is missing or invalid; the message never contains the token */
export function clientOf(values: AnyValues, env: Readonly<Record<string, string | undefined>>): Groundwork {
  const baseUrl = setting(values['url']) ?? setting(env['GROUNDWORK_URL']) ?? 'http://127.0.0.1:4000'
  const token = setting(values['token']) ?? setting(env['GROUNDWORK_TOKEN'])
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) throw new UsageError(`GROUNDWORK_URL is not an http or https URL: ${baseUrl}`)
  if (token === undefined)
    throw new UsageError('no API token: set GROUNDWORK_TOKEN; "groundwork token create --organization NAME" creates the first token')
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('the API token contains invalid characters')
  return new Groundwork({ baseUrl, token })
}

const setting = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
