import type { GroundworkApi, Received } from '@groundwork/api'

/** As the API answers them. */
export type Base = Received<GroundworkApi['bases']['get']>
export type Source = Received<GroundworkApi['sources']['get']>
export type SourceChunk = Received<GroundworkApi['sources']['chunks']>['data'][number]
export type SitePage = Received<GroundworkApi['sources']['pages']>['data'][number]
export type Preview = Received<GroundworkApi['previews']['create']>
