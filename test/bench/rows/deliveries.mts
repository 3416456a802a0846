import { compareTriggers } from '../contestants/compare-triggers.mts';
import type { Row } from '../row.mts';

export const deliveries: Row = async (bench) => ({
	title: 'Deliveries per second',
	...(await compareTriggers(await bench.stage(), bench, 0.97)),
});
