import type { LinkProps } from '@tanstack/react-router'

/** A parent page. `to` and `params` are props of Link. */
export interface Crumb {
  label: string
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
}

/** The type checker knows the route of `to`, but not that `params` belong to it. */
export const toLink = (to: NonNullable<LinkProps['to']>, params: Record<string, string> | undefined): LinkProps =>
  ({ to, ...(params && { params: (before: object) => ({ ...before, ...params }) }) }) as LinkProps
