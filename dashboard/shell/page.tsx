import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { use, useEffect, type ReactNode } from 'react'
import type { GuideName } from '../lib/guides.ts'
import { WorkspaceContext } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'

/** A parent page. `to` and `params` are props of Link. */
export interface Crumb {
  label: string
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
}

interface PageProps {
  /** The h1 and the title of the browser tab. */
  title: string
  description?: ReactNode
  crumbs?: readonly Crumb[]
  /** Shown after the title, such as a status badge. */
  aside?: ReactNode
  actions?: ReactNode
  /** The guide that explains the page. */
  guide?: GuideName
  children: ReactNode
}

/** The layout of a page: breadcrumbs, title, actions and content. */
export function Page({ title, description, crumbs = [], aside, actions, guide, children }: PageProps) {
  const messages = useMessages(sharedMessages)
  const organization = use(WorkspaceContext)?.organization.name
  useEffect(() => {
    document.title = [title, organization, messages.product].filter((part) => part !== undefined).join(' · ')
  }, [title, organization, messages])
  return (
    <Stack gap="md" maw={1200} mx="auto">
      <Box>
        {crumbs.length > 0 && (
          <Breadcrumbs component="nav">
            {crumbs.map(({ label, to, params }) => (
              <Anchor
                key={label}
                size="sm"
                py={4}
                c="dimmed"
                className="wrap"
                renderRoot={(props) => <Link {...props} {...toLink(to, params)} />}
              >
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="sm" miw={0}>
            <Title order={1} className="wrap" tabIndex={-1}>
              {title}
            </Title>
            {aside}
          </Group>
          <Group gap="xs">
            {guide !== undefined && (
              <Anchor size="sm" p="xs" href={`/docs/${guide}`} target="_blank">
                {messages.guide}
              </Anchor>
            )}
            {actions}
          </Group>
        </Group>
        {description !== undefined && (
          <Text size="sm" c="dimmed" mt={2} component="div" className="wrap">
            {description}
          </Text>
        )}
      </Box>
      {children}
    </Stack>
  )
}

/** The type checker knows the route of `to`, but not that `params` belong to it. */
const toLink = (to: NonNullable<LinkProps['to']>, params: Record<string, string> | undefined): LinkProps =>
  ({ to, ...(params && { params: (before: object) => ({ ...before, ...params }) }) }) as LinkProps
