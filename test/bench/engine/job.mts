/** What the child process is to do, as JSON on its input. */
export interface Job {
	/** Where n8n is installed. */
	n8nFolder: string;
	nodeFile: string;
	className: string;
	credentialFile: string;
	parameters: Record<string, unknown>;
	baseUrl: string;
	accessToken: string;
	/** One input item each. */
	inputIds: string[];
	/** How many requests the run makes. */
	requests: number;
}

/** What it tells on its output. All in bytes, above what was used before the run. */
export interface Outcome {
	items: number;
	/** Most live objects at once. */
	peak: number;
	/** The items alone: what a copy of those that come in and out takes. */
	ofItems: number;
}
