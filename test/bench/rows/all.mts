import type { Row } from '../row.mts';
import { deliveries } from './deliveries.mts';
import { equalLabels } from './equal-labels.mts';
import { forms } from './forms.mts';
import { gets } from './gets.mts';
import { limited } from './limited.mts';
import { limits } from './limits.mts';
import { manyForms } from './many-forms.mts';
import { manyItems } from './many-items.mts';
import { packageRow } from './package.mts';
import { queueDeliveries } from './queue-deliveries.mts';

/** In the order in which they are measured and shown. */
export const allRows: Record<string, Row> = {
	forms,
	gets,
	limited,
	limits,
	deliveries,
	queueDeliveries,
	equalLabels,
	manyForms,
	manyItems,
	package: packageRow,
};
