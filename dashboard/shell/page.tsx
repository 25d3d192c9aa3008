import { Anchor, Box, Breadcrumbs, Group, Stack, Text, Title } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { use, useEffect, type ReactNode } from 'react'
import { WorkspaceContext } from '../lib/workspace.ts'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

/** A page above this one; `to` and `params` as a Link takes them. */
export interface Crumb {
  label: string
  to: NonNullable<LinkProps['to']>
  params?: Record<string, string>
}

interface PageProps {
  /** Its one h1 and what the browser's tab says. */
  title: string
  description?: ReactNode
  crumbs?: readonly Crumb[]
  /** Behind the title: a status, a copy button. */
  aside?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page: title, way back, actions, content. */
export function Page({ title, description, crumbs = [], aside, actions, children }: PageProps) {
  const words = useWords(sharedWords)
  const organization = use(WorkspaceContext)?.organization.name
  useEffect(() => {
    document.title = [title, organization, words.product].filter((part) => part !== undefined).join(' · ')
  }, [title, organization, words])
  return (
    <Stack gap="lg" maw={1200} mx="auto">
      <Box>
        {crumbs.length > 0 && (
          <Breadcrumbs mb={4} component="nav">
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
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {description !== undefined && (
          <Text c="dimmed" mt={4} component="div" className="wrap">
            {description}
          </Text>
        )}
      </Box>
      {children}
    </Stack>
  )
}

/** `to` is known to be one of the router's; which parameters it takes, a crumb says itself. */
const toLink = (to: NonNullable<LinkProps['to']>, params: Record<string, string> | undefined): LinkProps =>
  ({ to, ...(params && { params: (before: object) => ({ ...before, ...params }) }) }) as LinkProps
