import type { SourceType } from '@groundwork/api'
import type { SourceTypeDefinition } from './source-type.ts'
import { file } from './types/file.ts'
import { scrape } from './types/scrape.ts'
import { url } from './types/url.ts'
import { youtube } from './types/youtube.ts'

/** All source types. */
export const sourceTypes: Readonly<Record<SourceType, SourceTypeDefinition>> = { file, url, youtube, scrape }
