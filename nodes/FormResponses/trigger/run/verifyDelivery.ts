import type { IExecuteFunctions } from 'n8n-workflow';
import { readAuthentication } from '../../parameters';
import { connect } from '../../transport/connect';
import { getResponse } from '../../transport/endpoints';
import { isAbsent } from '../../transport/errors';
import { isWanted } from '../onlyIf';
import type { Received } from '../runInput';

/** Tests and retries, as a person asked for them. */
const isAskedFor = (context: IExecuteFunctions) => ['manual', 'retry'].includes(context.getMode());

/** Verify Deliveries: fetches a delivered response again; undefined if it does not exist, belongs to another form or does not meet Only If. */
export async function verified(context: IExecuteFunctions, one: Received) {
	const { formId, responseId } = one.envelope.data;
	const signal = context.getExecutionCancelSignal();
	const api = await connect(context, { authentication: readAuthentication(context), signal });
	try {
		const envelope = await getResponse(api, responseId);
		if (envelope.data.formId.toLowerCase() === formId.toLowerCase()) {
			const isMeant = isAskedFor(context) || isWanted(context, envelope);
			return isMeant ? { ...one, envelope } : undefined;
		}
	} catch (error) {
		if (!isAbsent(error as Error)) throw error as Error;
	}
	// The service may deliver a response before its API shows it; the next look finds it then.
	context.logger.warn(
		`A delivery was dropped: the form service has no response ${responseId} for form ${formId}.`,
	);
	return undefined;
}
