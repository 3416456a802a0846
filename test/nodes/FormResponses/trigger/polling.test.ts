import { responseKey } from '../../../../nodes/FormResponses/responseKey';
import { startPolling } from '../../../../nodes/FormResponses/trigger/polling';
import { connect } from '../../../../nodes/FormResponses/transport/request';
import { inRun } from '../../../in-process/probe';
import { FORM_ID, responsesOf } from '../../../samples';
import { fakeService } from '../../../service';
import { serveResponses } from './trigger.fixture';

const start = async (count: number) => {
	const service = fakeService();
	serveResponses(service, responsesOf(count));
	const authentication = 'apiKey';
	const begun = await inRun(
		async (context) => await startPolling(await connect(context, { authentication }), FORM_ID),
		{ authentication },
	);
	expect(service.sent.map(({ query }) => query)).toEqual([{ limit: '25' }]);
	return begun;
};

test.each([0, 1, 24, 25])(
	'of a form with %i responses those are new that are not older than the page',
	async (count) => {
		const all = responsesOf(count);
		const since = count < 25 ? '' : all[24].data.completedAt;
		expect(await start(count)).toEqual({ since, baseline: all.map(responseKey) });
	},
);
