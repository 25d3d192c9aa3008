import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { createContext, use, useDeferredValue, useEffect, type ReactNode } from 'react'
import type { GuideName } from '../lib/guides.ts'
import { WorkspaceContext } from '../lib/workspace.ts'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { toLink, type Crumb } from './page-link.ts'
import { GoneNotice, useGone } from './record-gone.tsx'

interface PageProps {
  /** The h1 and the title of the browser tab. */
  title: string
  /** Cuts the title to one line on wide screens, above a list that must be in view. */
  hasShortTitle?: boolean
  description?: ReactNode
  crumbs?: readonly Crumb[]
  /** Shown after the title, such as a status badge. */
  aside?: ReactNode
  actions?: ReactNode
  /** The guide that explains the page. */
  guide?: GuideName
  children: ReactNode
}

/** What a page shows first in place of its content, which React then draws in short tasks. Undefined to draw both at once. */
export const PlaceholderContext = createContext<ReactNode>(undefined)

/** The layout of a page: breadcrumbs, title, actions and content. */
export function Page({ title, hasShortTitle = false, description, crumbs = [], aside, actions, guide, children }: PageProps) {
  const messages = useMessages(sharedMessages)
  const gone = useGone()
  const placeholder = use(PlaceholderContext)
  const isDrawn = useDeferredValue(true, placeholder === undefined)
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
                className="cut crumb"
                dir="auto"
                title={label}
                renderRoot={(props) => <Link {...props} {...toLink(to, params)} />}
              >
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        )}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Group gap="sm" className="page-head">
            <Title order={1} className={`wrap page-title${hasShortTitle ? ' short' : ''}`} dir="auto" title={title} tabIndex={-1}>
              {title}
            </Title>
            {aside}
          </Group>
          <Group gap="xs">
            {guide !== undefined && (
              <Anchor size="sm" p="xs" ml={{ base: -10, sm: 0 }} href={`/docs/${guide}`} target="_blank">
                {messages.guide}
              </Anchor>
            )}
            {/* Mounted after the record was deleted too, for the dialogs that they have opened. */}
            <Group gap="xs" {...(gone && { display: 'none' })}>
              {actions}
            </Group>
          </Group>
        </Group>
        {description !== undefined && (
          <Text size="sm" c="dimmed" mt={2} component="div" className="wrap">
            {description}
          </Text>
        )}
      </Box>
      {gone !== undefined && <GoneNotice gone={gone} list={crumbs.at(-1)} />}
      {isDrawn ? (
        children
      ) : (
        <Box role="status" aria-busy aria-label={messages.loading}>
          {placeholder}
        </Box>
      )}
    </Stack>
  )
}
