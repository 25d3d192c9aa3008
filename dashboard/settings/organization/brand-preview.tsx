import type { Organization } from '@groundwork/api'
import { LivePage } from '../../shell/live-page.tsx'
import { useMessages } from '../../messages/messages.ts'
import { organizationMessages } from './messages.ts'

/** Empty text means none. */
type Brand = Record<'name' | 'defaultCurrency' | 'legalName' | 'address' | 'taxId' | 'color' | 'timeZone', string> &
  Pick<Organization, 'language'>

/** Shows how a proposal looks with these details of the organization. */
export function BrandPreview({ brand }: { brand: Brand }) {
  const { name, defaultCurrency, legalName, address, taxId, color, language, timeZone } = brand
  const { sample, previewHelp } = useMessages(organizationMessages)
  const { title, message, lines } = sample
  const items = lines.map(({ description, quantity, unitPrice }) => ({
    description,
    quantity,
    unitPrice,
    taxRate: '10',
    optional: false,
    preselected: false,
  }))
  const orNull = (value: string): string | null => (value.trim() === '' ? null : value)
  const texts = { legalName: orNull(legalName), address: orNull(address), taxId: orNull(taxId), color: orNull(color) }
  const organization = { ...texts, language, timeZone, ...(name.trim() !== '' && { name }) }
  return <LivePage content={{ title, message, items, currency: defaultCurrency, organization }} help={previewHelp} />
}
