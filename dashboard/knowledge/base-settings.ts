import type { GroundworkApi, Sent } from '@groundwork/api'
import { changedFields } from '../lib/changed-fields.ts'
import { chunkingBody, type Chunking } from './chunking-fields.tsx'
import type { Base } from './records.ts'

/** The form values of the settings of a knowledge base. */
export interface Settings extends Chunking {
  name: string
  description: string
  language: string
  starred: boolean
  topK: number | string
  similarityThreshold: number | string
  hybridSearch: boolean
  rerank: boolean
  logEnabled: boolean
  days: number | string
}

export function settingsOf({ name, description, language, starred, ragSettings, retrievalLog }: Base): Settings {
  return { name, description, language: language ?? '', starred, ...ragSettings, logEnabled: retrievalLog.enabled, days: retrievalLog.days }
}

type Changes = Sent<GroundworkApi['bases']['update'], 'body'>

/**
 * Returns only the changed settings, because sending chunking settings starts a re-index.
 * @param base the knowledge base with which the form started
 */
export function changedSettings(base: Base, values: Settings): Changes {
  const { name, description, starred, logEnabled, hybridSearch, rerank } = values
  const language = values.language.trim() === '' ? null : values.language.trim()
  const ragSettings = changedFields(
    {
      ...chunkingBody(values),
      topK: Number(values.topK),
      similarityThreshold: Number(values.similarityThreshold),
      hybridSearch,
      rerank,
    },
    base.ragSettings,
  )
  const retrievalLog = changedFields({ enabled: logEnabled, days: Number(values.days) }, base.retrievalLog)
  return {
    ...changedFields({ name, description, starred, language }, base),
    ...(Object.keys(ragSettings).length > 0 && { ragSettings }),
    ...(Object.keys(retrievalLog).length > 0 && { retrievalLog }),
  }
}
