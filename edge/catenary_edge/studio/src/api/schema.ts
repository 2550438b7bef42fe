// Generated from /openapi/platform/v1.json by .ci/generate; not for editing. SHA-256 of its schemas: 33dbf66836529d35358fcf6d469d64bd955a76907d98aeec302b8b4744460aef
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AddProjectMemberRequest: {
            /** Format: uuid */
            user_id?: string | null;
            /** Format: uuid */
            team_id?: string | null;
            email?: string | null;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
        };
        AddProjectMemberResponse: {
            member: components["schemas"]["ProjectMember"];
        };
        ApiKey: {
            api_key_id: string;
            name: string;
            prefix: string;
            scopes: string[];
            user_id: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        AuditEntry: {
            /** Format: int64 */
            sequence: number;
            /** Format: date-time */
            occurred_at: string;
            actor: components["schemas"]["UserReference"] | null;
            credential_id: string | null;
            address: string | null;
            action: string;
            subject: string | null;
            outcome: string;
            /** Format: int32 */
            count: number;
            request_id: string;
            details: unknown;
            /** Format: int64 */
            chain_sequence: number | null;
        };
        Batch: {
            batch_id: string;
            project_id: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "cancelled";
            model_version_id: string;
            counts: components["schemas"]["BatchCounts"];
            created_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            geometry: boolean;
            name: string;
            note: string;
            error: components["schemas"]["BatchError"] | null;
            /** Format: date-time */
            expected_end: string | null;
        };
        BatchCounts: {
            /** Format: int32 */
            total: number;
            /** Format: int32 */
            queued: number;
            /** Format: int32 */
            running: number;
            /** Format: int32 */
            completed: number;
            /** Format: int32 */
            failed: number;
            /** Format: int32 */
            timed_out: number;
            /** Format: int32 */
            cancelled: number;
            /** Format: int32 */
            cached: number;
        };
        BatchError: {
            code: string;
            message: string;
        };
        BatchEvaluationInput: {
            parameters?: {
                [key: string]: unknown;
            } | null;
        };
        BatchResult: {
            /** Format: int32 */
            index: number;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "timed_out" | "cancelled";
            parameters: {
                [key: string]: unknown;
            };
            metrics: {
                [key: string]: components["schemas"]["MetricValue"];
            };
            constraints: {
                [key: string]: components["schemas"]["ConstraintValue"];
            };
            tables: {
                [key: string]: unknown;
            };
            error: components["schemas"]["ModelError"] | null;
            cached: boolean;
            /** Format: double */
            duration_ms: number | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            evaluation_id: string;
            geometry: components["schemas"]["Geometry"][];
        };
        BatchStreamItem: {
            id: string;
            result: components["schemas"]["BatchResult"] | null;
            batch: components["schemas"]["Batch"];
        };
        BoundingBox: {
            min: number[];
            max: number[];
        };
        Camera: {
            position: number[];
            target: number[];
            up: number[];
            /** @enum {string} */
            projection: "perspective" | "orthographic";
            /** Format: double */
            fov_degrees: number | null;
            /** Format: double */
            height: number | null;
        };
        CameraInput: {
            position: number[];
            target: number[];
            up?: number[] | null;
            /** @enum {string} */
            projection: "perspective" | "orthographic";
            /** Format: double */
            fov_degrees?: number | null;
            /** Format: double */
            height?: number | null;
        };
        CancelEvaluationResponse: {
            evaluation: components["schemas"]["Evaluation"];
        };
        CancelStudyRequest: Record<string, never>;
        CancelStudyResponse: {
            study: components["schemas"]["Study"];
        };
        Chart: {
            name: string;
            /** @enum {string} */
            kind: "line" | "bar" | "scatter";
            table: string;
            x: string;
            y: string[];
        };
        Client: {
            client_id: string;
            name: string;
            user_id: string;
            admin: boolean;
            disabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        Comment: {
            comment_id: string;
            project_id: string;
            variant_id: string | null;
            parent_id: string | null;
            content: string;
            anchor: components["schemas"]["CommentAnchor"] | null;
            camera: components["schemas"]["Camera"] | null;
            mentions: string[];
            resolved: boolean;
            resolved_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            resolved_at: string | null;
            created_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        CommentAnchor: {
            /** Format: double */
            x: number | null;
            /** Format: double */
            y: number | null;
            /** Format: double */
            z: number | null;
            geometry: string;
            part: string;
        };
        CommentAnchorInput: {
            /** Format: double */
            x: number;
            /** Format: double */
            y: number;
            /** Format: double */
            z: number;
            geometry?: string | null;
            part?: string | null;
        };
        CompareVariantsResponse: {
            comparison: components["schemas"]["VariantComparison"];
        };
        ComparedItem: {
            value: unknown;
            unit: string | null;
            difference: unknown;
        };
        ComparedValue: {
            name: string;
            differs: boolean;
            items: components["schemas"]["ComparedItem"][];
        };
        ComparedVariant: {
            variant_id: string;
            name: string;
            /** @enum {string} */
            status: "evaluating" | "ready" | "failed";
            model_version_id: string;
        };
        ConstraintValue: {
            value: unknown;
            satisfied: boolean;
            metric: string | null;
            op: string | null;
            limit: unknown;
            unit: string | null;
        };
        CreateApiKeyRequest: {
            name: string;
            scopes: string[];
            /** Format: date-time */
            expires_at?: string | null;
        };
        CreateApiKeyResponse: {
            api_key: components["schemas"]["ApiKey"];
            key: string;
        };
        CreateBatchRequest: {
            evaluations?: components["schemas"]["BatchEvaluationInput"][] | null;
            /** Format: uuid */
            plan_id?: string | null;
            /** Format: uuid */
            model_version_id?: string | null;
            geometry?: boolean | null;
            name?: string | null;
            note?: string | null;
        };
        CreateBatchResponse: {
            batch: components["schemas"]["Batch"];
        };
        CreateClientRequest: {
            name: string;
            admin?: boolean | null;
        };
        CreateClientResponse: {
            client: components["schemas"]["Client"];
            client_secret: string;
        };
        CreateCommentRequest: {
            content: string;
            /** Format: uuid */
            parent_id?: string | null;
            /** Format: uuid */
            variant_id?: string | null;
            anchor?: components["schemas"]["CommentAnchorInput"] | null;
            camera?: components["schemas"]["CameraInput"] | null;
            mentions?: string[] | null;
        };
        CreateCommentResponse: {
            comment: components["schemas"]["Comment"];
        };
        CreateDeploymentRequest: {
            /** Format: uuid */
            model_version_id: string;
        };
        CreateDeploymentResponse: {
            deployment: components["schemas"]["Deployment"];
        };
        CreateInvitationRequest: {
            /** Format: email */
            email: string;
            staff_name: string;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
        };
        CreateInvitationResponse: {
            invitation: components["schemas"]["Invitation"];
            url: string;
        };
        CreateModelRequest: {
            name: string;
        };
        CreateModelResponse: {
            model: components["schemas"]["Model"];
        };
        CreateMySignInLinkRequest: Record<string, never>;
        CreateMySignInLinkResponse: {
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        CreatePlanRequest: {
            /** @enum {string} */
            kind: "grid" | "latin_hypercube" | "sobol" | "halton" | "csv";
            parameters?: {
                [key: string]: components["schemas"]["PlannedRangeInput"];
            } | null;
            /** Format: int32 */
            size?: number | null;
            /** Format: int64 */
            seed?: number | null;
            csv?: string | null;
        };
        CreatePlanResponse: {
            plan: components["schemas"]["Plan"];
        };
        CreateProjectRequest: {
            name: string;
            description?: string | null;
            /** Format: uuid */
            environment_project_id?: string | null;
        };
        CreateProjectResponse: {
            project: components["schemas"]["Project"];
        };
        CreateSessionRequest: {
            invitation?: string | null;
            sign_in?: string | null;
        };
        CreateSessionResponse: {
            access_token: string;
            token_type: string;
            /** Format: int32 */
            expires_in: number;
            scope: string;
        };
        CreateShareRequest: {
            /** @enum {string} */
            kind: "user" | "team" | "link";
            /** Format: uuid */
            user_id?: string | null;
            /** Format: uuid */
            team_id?: string | null;
            /** @enum {string|null} */
            role?: "viewer" | "evaluator" | "editor" | "owner" | null;
            /** Format: uuid */
            variant_id?: string | null;
            /** Format: date-time */
            expires_at?: string | null;
        };
        CreateShareResponse: {
            share: components["schemas"]["Share"];
            url: string | null;
        };
        CreateSignInLinkRequest: Record<string, never>;
        CreateSignInLinkResponse: {
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        CreateStudyRequest: {
            /** @enum {string} */
            kind: "optimization" | "sensitivity";
            objectives: components["schemas"]["StudyObjectiveInput"][];
            constraints?: components["schemas"]["StudyConstraintInput"][] | null;
            parameters?: {
                [key: string]: components["schemas"]["StudyParameterInput"];
            } | null;
            /** @enum {string|null} */
            algorithm?: "auto" | "nsga2" | "nsga3" | "tpe" | "morris" | "sobol_indices" | null;
            /** Format: int32 */
            population?: number | null;
            /** Format: int32 */
            budget?: number | null;
            /** Format: int64 */
            seed?: number | null;
            /** @enum {string|null} */
            on_failure?: "infeasible" | "retry" | "stop" | null;
            start_from?: string[] | null;
            name?: string | null;
            note?: string | null;
            stop?: components["schemas"]["StudyStopInput"] | null;
        };
        CreateStudyResponse: {
            study: components["schemas"]["Study"];
        };
        CreateSystemEventRequest: {
            /** @enum {string} */
            type: "system.maintenance" | "system.service.updated";
            message: string;
            /** Format: date-time */
            starts_at?: string | null;
            /** Format: date-time */
            ends_at?: string | null;
            release?: string | null;
        };
        CreateSystemEventResponse: {
            system_event: components["schemas"]["SystemEvent"];
        };
        CreateTeamRequest: {
            name: string;
        };
        CreateTeamResponse: {
            team: components["schemas"]["Team"];
        };
        CreateVariantRequest: {
            name: string;
            note?: string | null;
            /** Format: uuid */
            evaluation_id?: string | null;
            parameters?: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            model_version_id?: string | null;
        };
        CreateVariantResponse: {
            variant: components["schemas"]["Variant"];
        };
        CreateViewRequest: {
            name: string;
            is_default?: boolean | null;
            viewer?: components["schemas"]["ViewerSettingsInput"] | null;
            charts?: components["schemas"]["ViewChartInput"][] | null;
            controls?: components["schemas"]["ViewControlInput"][] | null;
            metrics?: string[] | null;
        };
        CreateViewResponse: {
            view: components["schemas"]["View"];
        };
        CreateWebhookRequest: {
            url: string;
            events: string[];
            secret?: string | null;
        };
        CreateWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
            secret: string;
        };
        CreateWorkerTokenRequest: {
            name: string;
        };
        CreateWorkerTokenResponse: {
            worker_token: components["schemas"]["WorkerToken"];
            token: string;
        };
        DeleteApiKeyResponse: {
            api_key: components["schemas"]["ApiKey"];
        };
        DeleteBatchResponse: {
            batch: components["schemas"]["Batch"];
        };
        DeleteClientResponse: {
            client: components["schemas"]["Client"];
        };
        DeleteCommentResponse: {
            comment: components["schemas"]["Comment"];
        };
        DeleteCurrentDeploymentResponse: {
            deployment: components["schemas"]["Deployment"];
        };
        DeleteFileResponse: {
            file: components["schemas"]["File"];
        };
        DeleteInvitationResponse: {
            invitation: components["schemas"]["Invitation"];
        };
        DeleteModelResponse: {
            model: components["schemas"]["Model"];
        };
        DeleteModelVersionResponse: {
            model_version: components["schemas"]["ModelVersion"];
        };
        DeletePlanResponse: {
            plan: components["schemas"]["Plan"];
        };
        DeleteProjectMemberResponse: {
            member: components["schemas"]["ProjectMember"];
        };
        DeleteProjectResponse: {
            project: components["schemas"]["Project"];
        };
        DeleteShareResponse: {
            share: components["schemas"]["Share"];
        };
        DeleteStudyResponse: {
            study: components["schemas"]["Study"];
        };
        DeleteTeamMemberResponse: {
            member: components["schemas"]["TeamMember"];
        };
        DeleteTeamResponse: {
            team: components["schemas"]["Team"];
        };
        DeleteUserResponse: {
            user: components["schemas"]["User"];
        };
        DeleteVariantResponse: {
            variant: components["schemas"]["Variant"];
        };
        DeleteViewResponse: {
            view: components["schemas"]["View"];
        };
        DeleteWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        DeleteWorkerTokenResponse: {
            worker_token: components["schemas"]["WorkerToken"];
        };
        Deployment: {
            deployment_id: string;
            project_id: string;
            model_id: string;
            model_version_id: string;
            /** @enum {string} */
            status: "pending" | "active" | "retired" | "failed";
            error: components["schemas"]["ModelError"] | null;
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            activated_at: string | null;
            /** Format: date-time */
            retired_at: string | null;
        };
        EndSessionResponse: Record<string, never>;
        Error: {
            /** @constant */
            success: false;
            error: {
                /** @enum {string} */
                code: "VALIDATION_ERROR" | "PARAMETER_OUT_OF_RANGE" | "UNKNOWN_PARAMETER" | "AUTHENTICATION_REQUIRED" | "INVALID_TOKEN" | "TOKEN_EXPIRED" | "INVALID_CLIENT" | "PERMISSION_DENIED" | "HTTPS_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "MODEL_NOT_DEPLOYED" | "IDEMPOTENCY_IN_PROGRESS" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMIT_EXCEEDED" | "QUOTA_EXCEEDED" | "CANCELLED" | "INTERNAL_ERROR" | "NOT_IMPLEMENTED" | "UNAVAILABLE" | "TIMEOUT";
                message: string;
                details: {
                    parameter?: string;
                    value?: unknown;
                    constraint?: string;
                    min?: unknown;
                    max?: unknown;
                    violations?: {
                        parameter: string;
                        message: string;
                        constraint: string;
                    }[];
                } & {
                    [key: string]: unknown;
                };
                /** Format: uri */
                documentation_url?: string;
            };
            metadata: {
                /** Format: date-time */
                timestamp: string;
                requestId: string;
            };
        };
        EvaluateRequest: {
            parameters?: {
                [key: string]: unknown;
            } | null;
            force?: boolean | null;
            /** Format: uuid */
            model_version_id?: string | null;
            geometry?: boolean | null;
        };
        EvaluateResponse: {
            evaluation: components["schemas"]["Evaluation"];
        };
        Evaluation: {
            evaluation_id: string;
            project_id: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "timed_out" | "cancelled";
            model_version_id: string;
            parameters: {
                [key: string]: unknown;
            };
            metrics: {
                [key: string]: components["schemas"]["MetricValue"];
            };
            constraints: {
                [key: string]: components["schemas"]["ConstraintValue"];
            };
            geometry: components["schemas"]["Geometry"][];
            tables: {
                [key: string]: unknown;
            };
            error: components["schemas"]["ModelError"] | null;
            cached: boolean;
            /** Format: double */
            duration_ms: number | null;
            created_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            log: string | null;
            files: components["schemas"]["EvaluationFile"][];
            charts: components["schemas"]["Chart"][];
            progress: components["schemas"]["EvaluationProgress"] | null;
            batch_id: string | null;
            study_id: string | null;
            /** Format: int32 */
            index: number | null;
        };
        EvaluationFile: {
            name: string;
            media_type: string;
            url: string;
            /** Format: int64 */
            size: number;
            sha256: string;
        };
        EvaluationProgress: {
            /** Format: double */
            fraction: number;
            message: string;
            output: string | null;
        };
        Event: {
            id: string;
            type: string;
            /** Format: date-time */
            occurred_at: string;
            project_id: string | null;
            actor_id: string | null;
            subject: string;
            data: unknown;
        };
        File: {
            file_id: string;
            project_id: string;
            name: string;
            /** Format: int64 */
            size: number;
            sha256: string;
            value: string;
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
        };
        Geometry: {
            name: string;
            format: string;
            url: string;
            /** Format: int64 */
            size: number | null;
            sha256: string | null;
            parts: components["schemas"]["GeometryPart"][];
            unit: string | null;
        };
        GeometryOpening: {
            /** Format: int64 */
            edges: number;
            /** Format: double */
            gap: number | null;
        };
        GeometryPart: {
            name: string;
            /** @enum {string} */
            kind: "solid" | "surface" | "lines";
            /** Format: int64 */
            triangles: number;
            /** Format: double */
            area: number | null;
            /** Format: double */
            length: number | null;
            /** Format: double */
            volume: number | null;
            bounding_box: components["schemas"]["BoundingBox"];
            centre_of_gravity: number[];
            /** Format: double */
            density: number | null;
            /** Format: double */
            mass: number | null;
            opening: components["schemas"]["GeometryOpening"] | null;
            /** @enum {string|null} */
            measured: "mesh" | "exact" | null;
        };
        GetApiKeyResponse: {
            api_key: components["schemas"]["ApiKey"];
        };
        GetBatchResponse: {
            batch: components["schemas"]["Batch"];
        };
        GetClientResponse: {
            client: components["schemas"]["Client"];
        };
        GetCommentResponse: {
            comment: components["schemas"]["Comment"];
        };
        GetCurrentShareResponse: {
            share: components["schemas"]["LinkedShare"];
        };
        GetEvaluationResponse: {
            evaluation: components["schemas"]["Evaluation"];
        };
        GetFileResponse: {
            file: components["schemas"]["File"];
        };
        GetInvitationResponse: {
            invitation: components["schemas"]["Invitation"];
        };
        GetJwksResponse: {
            keys: components["schemas"]["Jwk"][];
        };
        GetMeResponse: {
            user: components["schemas"]["User"];
        };
        GetModelResponse: {
            model: components["schemas"]["Model"];
        };
        GetModelVersionLogResponse: {
            log: string;
        };
        GetModelVersionResponse: {
            model_version: components["schemas"]["ModelVersion"];
        };
        GetNotificationResponse: {
            notification: components["schemas"]["Notification"];
        };
        GetPlanResponse: {
            plan: components["schemas"]["Plan"];
        };
        GetProjectResponse: {
            project: components["schemas"]["Project"];
        };
        GetServerMetadataResponse: {
            issuer: string;
            token_endpoint: string;
            revocation_endpoint: string;
            jwks_uri: string;
            grant_types_supported: string[];
            response_types_supported: string[];
            token_endpoint_auth_methods_supported: string[];
            revocation_endpoint_auth_methods_supported: string[];
            scopes_supported: string[];
        };
        GetShareResponse: {
            share: components["schemas"]["Share"];
        };
        GetStudioConfigResponse: {
            config: components["schemas"]["StudioConfig"];
        };
        GetStudyIndicesResponse: {
            indices: components["schemas"]["StudyIndices"][];
        };
        GetStudyResponse: {
            study: components["schemas"]["Study"];
        };
        GetTeamResponse: {
            team: components["schemas"]["Team"];
        };
        GetUsageResponse: {
            usage: components["schemas"]["Usage"];
        };
        GetUserResponse: {
            user: components["schemas"]["User"];
        };
        GetVariantResponse: {
            variant: components["schemas"]["Variant"];
        };
        GetViewResponse: {
            view: components["schemas"]["View"];
        };
        GetWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        GetWorkerTokenResponse: {
            worker_token: components["schemas"]["WorkerToken"];
        };
        ImportCount: {
            /** @enum {string} */
            kind: "assets" | "parameters" | "entries";
            /** Format: int32 */
            added: number;
            /** Format: int32 */
            revised: number;
            /** Format: int32 */
            kept: number;
        };
        ImportEvaluationsResponse: {
            batch: components["schemas"]["Batch"];
        };
        ImportFileResponse: {
            counts: components["schemas"]["ImportCount"][];
        };
        Invitation: {
            invitation_id: string;
            project_id: string;
            email: string;
            email_verified: boolean;
            staff_name: string;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
            /** @enum {string} */
            status: "open" | "taken" | "revoked" | "expired";
            /** Format: date-time */
            expires_at: string;
            taken_by: components["schemas"]["UserReference"] | null;
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        IssueDemoTokenRequest: Record<string, never>;
        IssueDemoTokenResponse: {
            access_token: string;
            token_type: string;
            /** Format: int32 */
            expires_in: number;
            scope: string;
        };
        IssueTokenRequest: {
            grant_type: string;
            client_id?: string | null;
            client_secret?: string | null;
            scope?: string | null;
        };
        IssueTokenResponse: {
            access_token: string;
            token_type: string;
            /** Format: int32 */
            expires_in: number;
            scope: string;
        };
        Jwk: {
            kty: string;
            use: string;
            alg: string;
            kid: string;
            crv: string;
            x: string;
            y: string;
        };
        LinkedShare: {
            share_id: string;
            project_id: string;
            variant_id: string | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        ListApiKeysResponse: {
            api_keys: components["schemas"]["ApiKey"][];
        };
        ListAuditEntriesResponse: {
            entries: components["schemas"]["AuditEntry"][];
        };
        ListBatchResultsResponse: {
            results: components["schemas"]["BatchResult"][];
        };
        ListBatchesResponse: {
            batches: components["schemas"]["Batch"][];
        };
        ListClientsResponse: {
            clients: components["schemas"]["Client"][];
        };
        ListCommentsResponse: {
            comments: components["schemas"]["Comment"][];
        };
        ListDeploymentsResponse: {
            deployments: components["schemas"]["Deployment"][];
        };
        ListEvaluationsResponse: {
            evaluations: components["schemas"]["Evaluation"][];
        };
        ListFilesResponse: {
            files: components["schemas"]["File"][];
        };
        ListInvitationsResponse: {
            invitations: components["schemas"]["Invitation"][];
        };
        ListMetadata: {
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            version: "v1";
            requestId: string;
            next_cursor: string | null;
        };
        ListModelVersionsResponse: {
            model_versions: components["schemas"]["ModelVersion"][];
        };
        ListModelsResponse: {
            models: components["schemas"]["Model"][];
        };
        ListNotificationsResponse: {
            notifications: components["schemas"]["Notification"][];
        };
        ListParametersResponse: {
            parameters: components["schemas"]["ModelParameter"][];
        };
        ListPlanPointsResponse: {
            points: components["schemas"]["PlanPoint"][];
        };
        ListPlansResponse: {
            plans: components["schemas"]["Plan"][];
        };
        ListProjectMembersResponse: {
            members: components["schemas"]["ProjectMember"][];
        };
        ListProjectsResponse: {
            projects: components["schemas"]["Project"][];
        };
        ListSharesResponse: {
            shares: components["schemas"]["Share"][];
        };
        ListStudiesResponse: {
            studies: components["schemas"]["Study"][];
        };
        ListStudyFrontResponse: {
            points: components["schemas"]["StudyResult"][];
            /** Format: int32 */
            knee: number | null;
            representatives: number[];
        };
        ListStudyResultsResponse: {
            results: components["schemas"]["StudyResult"][];
        };
        ListTeamMembersResponse: {
            members: components["schemas"]["TeamMember"][];
        };
        ListTeamsResponse: {
            teams: components["schemas"]["Team"][];
        };
        ListUsersResponse: {
            users: components["schemas"]["User"][];
        };
        ListVariantsResponse: {
            variants: components["schemas"]["Variant"][];
        };
        ListViewsResponse: {
            views: components["schemas"]["View"][];
        };
        ListWebhookDeliveriesResponse: {
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        ListWebhooksResponse: {
            webhooks: components["schemas"]["Webhook"][];
        };
        ListWorkerTokensResponse: {
            worker_tokens: components["schemas"]["WorkerToken"][];
        };
        Metadata: {
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            version: "v1";
            requestId: string;
        };
        MetricValue: {
            value: unknown;
            unit: string | null;
        };
        Model: {
            model_id: string;
            project_id: string;
            name: string;
            latest_model_version_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        ModelConstraint: {
            name: string;
            metric: string;
            op: string;
            value: unknown;
        };
        ModelError: {
            code: string;
            message: string;
            /** Format: int32 */
            line: number | null;
        };
        ModelMetric: {
            name: string;
            unit: string | null;
            description: string;
        };
        ModelParameter: {
            name: string;
            label: string;
            /** @enum {string} */
            type: "number" | "integer" | "boolean" | "string" | "choice" | "color" | "date" | "point" | "table" | "file";
            default: unknown;
            min: unknown;
            max: unknown;
            step: unknown;
            positive: boolean;
            choices: unknown[];
            unit: string | null;
            group: string | null;
            description: string;
            /** Format: int32 */
            order: number;
            show_if: string | null;
            columns: components["schemas"]["TableColumn"][];
            accept: string[];
            /** Format: int64 */
            max_bytes: number | null;
        };
        ModelVersion: {
            model_version_id: string;
            model_id: string;
            project_id: string;
            /** Format: int32 */
            number: number;
            /** @enum {string} */
            status: "uploaded" | "checking" | "ready" | "failed";
            /** @enum {string} */
            kind: "python" | "zip" | "openscad";
            /** Format: int64 */
            size: number;
            sha256: string;
            deterministic: boolean | null;
            error: components["schemas"]["ModelError"] | null;
            parameters: components["schemas"]["ModelParameter"][];
            metrics: components["schemas"]["ModelMetric"][];
            constraints: components["schemas"]["ModelConstraint"][];
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            warnings: string[];
            repeatable: boolean | null;
            repeatable_reason: string | null;
        };
        Notification: {
            notification_id: string;
            /** @enum {string} */
            kind: "share" | "comment" | "reply" | "evaluation_completed" | "evaluation_failed" | "batch_completed" | "study_completed" | "webhook_disabled" | "mention" | "sign_in_link";
            title: string;
            subject: string;
            project_id: string | null;
            event_id: string | null;
            actor_id: string | null;
            actor: components["schemas"]["UserReference"] | null;
            read: boolean;
            /** Format: date-time */
            read_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        OAuthError: {
            /** @enum {string} */
            error: "invalid_request" | "invalid_client" | "unsupported_grant_type" | "invalid_scope" | "temporarily_unavailable" | "server_error";
            error_description: string;
        };
        Plan: {
            plan_id: string;
            project_id: string;
            model_version_id: string;
            /** @enum {string} */
            kind: "grid" | "latin_hypercube" | "sobol" | "halton" | "csv";
            /** Format: int64 */
            seed: number | null;
            /** Format: int32 */
            count: number;
            evaluations: components["schemas"]["PlannedEvaluation"][];
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: int32 */
            size: number;
        };
        PlanPoint: {
            /** Format: int32 */
            index: number;
            parameters: {
                [key: string]: unknown;
            };
        };
        PlannedEvaluation: {
            parameters: {
                [key: string]: unknown;
            };
        };
        PlannedRangeInput: {
            min?: unknown;
            max?: unknown;
            /** Format: int32 */
            count?: number | null;
            values?: unknown[] | null;
        };
        Project: {
            project_id: string;
            name: string;
            description: string;
            environment_project_id: string | null;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
            deployed_model_version_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            owner_user_id: string | null;
        };
        ProjectMember: {
            user_id: string | null;
            team_id: string | null;
            name: string;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            expires_at: string | null;
            share_id: string | null;
        };
        PurgeEvaluationsRequest: {
            /** Format: date-time */
            older_than: string;
            unused: boolean;
            dry_run?: boolean | null;
        };
        PurgeEvaluationsResponse: {
            /** Format: int64 */
            removed: number;
            more: boolean;
        };
        PutProjectMemberRequest: {
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
        };
        PutProjectMemberResponse: {
            member: components["schemas"]["ProjectMember"];
        };
        PutTeamMemberResponse: {
            member: components["schemas"]["TeamMember"];
        };
        Quota: {
            tier: string;
            /** Format: int64 */
            evaluations: number | null;
            /** Format: int64 */
            compute_seconds: number | null;
            /** Format: int64 */
            storage: number | null;
        };
        RedeliverWebhookRequest: Record<string, never>;
        RedeliverWebhookResponse: {
            delivery: components["schemas"]["WebhookDelivery"];
        };
        RefreshSessionRequest: Record<string, never>;
        RefreshSessionResponse: {
            access_token: string;
            token_type: string;
            /** Format: int32 */
            expires_in: number;
            scope: string;
        };
        ReplaceViewRequest: {
            name: string;
            is_default?: boolean | null;
            viewer?: components["schemas"]["ViewerSettingsInput"] | null;
            charts?: components["schemas"]["ViewChartInput"][] | null;
            controls?: components["schemas"]["ViewControlInput"][] | null;
            metrics?: string[] | null;
        };
        ReplaceViewResponse: {
            view: components["schemas"]["View"];
        };
        ResumeStudyRequest: {
            /** Format: int32 */
            budget?: number | null;
            stop?: components["schemas"]["StudyStopInput"] | null;
        };
        ResumeStudyResponse: {
            study: components["schemas"]["Study"];
        };
        RevokeClientTokensRequest: Record<string, never>;
        RevokeClientTokensResponse: {
            client: components["schemas"]["Client"];
        };
        RevokeTokenRequest: {
            token: string;
            token_type_hint?: string | null;
            client_id?: string | null;
            client_secret?: string | null;
        };
        RevokeTokenResponse: Record<string, never>;
        RotateClientSecretRequest: Record<string, never>;
        RotateClientSecretResponse: {
            client: components["schemas"]["Client"];
            client_secret: string;
        };
        RotateWebhookSecretRequest: {
            secret?: string | null;
        };
        RotateWebhookSecretResponse: {
            webhook: components["schemas"]["Webhook"];
            secret: string;
        };
        Share: {
            share_id: string;
            project_id: string;
            /** @enum {string} */
            kind: "user" | "team" | "link";
            user_id: string | null;
            team_id: string | null;
            name: string | null;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
            variant_id: string | null;
            /** Format: date-time */
            expires_at: string | null;
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        StudioConfig: {
            issuers: components["schemas"]["StudioIssuer"][];
            demo: boolean;
            version: string;
        };
        StudioIssuer: {
            issuer: string;
            studio_client_id: string;
            name: string;
            scope: string;
            authorization_endpoint: string | null;
            token_endpoint: string | null;
            end_session_endpoint: string | null;
        };
        Study: {
            study_id: string;
            project_id: string;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "cancelled" | "failed";
            model_version_id: string;
            /** @enum {string} */
            kind: "optimization" | "sensitivity";
            objectives: components["schemas"]["StudyObjective"][];
            constraints: components["schemas"]["StudyConstraint"][];
            parameters: {
                [key: string]: components["schemas"]["StudyParameter"];
            };
            /** @enum {string} */
            algorithm: "auto" | "nsga2" | "nsga3" | "tpe" | "morris" | "sobol_indices";
            /** Format: int32 */
            population: number;
            /** Format: int32 */
            budget: number;
            /** Format: int64 */
            seed: number;
            /** @enum {string} */
            on_failure: "infeasible" | "retry" | "stop";
            /** Format: int32 */
            generation: number;
            counts: components["schemas"]["BatchCounts"];
            /** Format: int32 */
            front_size: number;
            hypervolume: components["schemas"]["StudyVolume"][];
            reference: number[];
            /** Format: date-time */
            expected_end: string | null;
            error: string | null;
            created_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            completed_at: string | null;
            start_from: string[];
            derived_metrics: components["schemas"]["StudyDerivedMetric"][];
            name: string;
            note: string;
            stop: components["schemas"]["StudyStop"] | null;
            /** @enum {string|null} */
            stopped_by: "seconds" | "stalled_generations" | null;
            algorithm_reason: string | null;
            error_code: string | null;
        };
        StudyConstraint: {
            metric: string | null;
            op: string | null;
            /** Format: double */
            value: number | null;
            expression: string | null;
        };
        StudyConstraintInput: {
            metric?: string | null;
            /** @enum {string|null} */
            op?: "<=" | "<" | ">=" | ">" | "==" | null;
            /** Format: double */
            value?: number | null;
            expression?: string | null;
        };
        StudyDerivedMetric: {
            name: string;
            expression: string;
            unit: string | null;
        };
        StudyIndex: {
            parameter: string;
            /** Format: double */
            mu_star: number | null;
            /** Format: double */
            mu_star_confidence: number | null;
            /** Format: double */
            sigma: number | null;
            /** Format: double */
            s1: number | null;
            /** Format: double */
            s1_confidence: number | null;
            /** Format: double */
            st: number | null;
            /** Format: double */
            st_confidence: number | null;
        };
        StudyIndices: {
            objective: components["schemas"]["StudyObjective"];
            /** Format: int32 */
            used: number;
            /** Format: int32 */
            left_out: number;
            parameters: components["schemas"]["StudyIndex"][];
        };
        StudyObjective: {
            metric: string | null;
            expression: string | null;
            /** @enum {string} */
            direction: "minimize" | "maximize";
            /** Format: double */
            reference: number | null;
        };
        StudyObjectiveInput: {
            metric?: string | null;
            expression?: string | null;
            /** @enum {string|null} */
            direction?: "minimize" | "maximize" | null;
            /** Format: double */
            reference?: number | null;
        };
        StudyParameter: {
            /** Format: double */
            min: number | null;
            /** Format: double */
            max: number | null;
            choices: unknown[];
            fixed: unknown;
            /** @enum {string} */
            distribution: "uniform";
        };
        StudyParameterInput: {
            /** Format: double */
            min?: number | null;
            /** Format: double */
            max?: number | null;
            choices?: unknown[] | null;
            fixed?: unknown;
            /** @enum {string|null} */
            distribution?: "uniform" | null;
        };
        StudyResult: {
            /** Format: int32 */
            index: number;
            /** Format: int32 */
            generation: number | null;
            /** @enum {string} */
            status: "queued" | "running" | "completed" | "failed" | "timed_out" | "cancelled";
            parameters: {
                [key: string]: unknown;
            };
            metrics: {
                [key: string]: components["schemas"]["MetricValue"];
            };
            constraints: {
                [key: string]: components["schemas"]["ConstraintValue"];
            };
            objectives: components["schemas"]["StudyValue"][];
            feasible: boolean | null;
            /** Format: int32 */
            rank: number | null;
            error: components["schemas"]["ModelError"] | null;
            cached: boolean;
            /** Format: double */
            duration_ms: number | null;
            /** Format: date-time */
            completed_at: string | null;
            evaluation_id: string;
            geometry: components["schemas"]["Geometry"][];
            tables: {
                [key: string]: unknown;
            };
        };
        StudyStop: {
            /** Format: int32 */
            seconds: number | null;
            /** Format: int32 */
            stalled_generations: number | null;
        };
        StudyStopInput: {
            /** Format: int32 */
            seconds?: number | null;
            /** Format: int32 */
            stalled_generations?: number | null;
        };
        StudyValue: {
            /** Format: double */
            value: number | null;
        };
        StudyVolume: {
            /** Format: int32 */
            generation: number;
            /** Format: double */
            hypervolume: number | null;
        };
        SystemEvent: {
            type: string;
            message: string;
            /** Format: date-time */
            starts_at: string | null;
            /** Format: date-time */
            ends_at: string | null;
            release: string | null;
        };
        TableColumn: {
            name: string;
            /** @enum {string} */
            type: "number" | "integer" | "boolean" | "string";
            unit: string | null;
        };
        Team: {
            team_id: string;
            name: string;
            created_by: components["schemas"]["UserReference"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        TeamMember: {
            user_id: string;
            staff_name: string;
            /** Format: date-time */
            created_at: string;
        };
        TestWebhookRequest: Record<string, never>;
        TestWebhookResponse: {
            delivery: components["schemas"]["WebhookDelivery"];
        };
        UpdateClientRequest: {
            name?: string;
            admin?: boolean;
            disabled?: boolean;
        };
        UpdateClientResponse: {
            client: components["schemas"]["Client"];
        };
        UpdateCommentRequest: {
            content?: string;
            resolved?: boolean;
        };
        UpdateCommentResponse: {
            comment: components["schemas"]["Comment"];
        };
        UpdateMeRequest: {
            location_name?: string | null;
            company_centre_unit?: string | null;
            my_people_page_url?: string | null;
        };
        UpdateMeResponse: {
            user: components["schemas"]["User"];
        };
        UpdateModelRequest: {
            name?: string;
        };
        UpdateModelResponse: {
            model: components["schemas"]["Model"];
        };
        UpdateNotificationRequest: {
            read?: boolean;
        };
        UpdateNotificationResponse: {
            notification: components["schemas"]["Notification"];
        };
        UpdateParameterRequest: {
            min?: unknown;
            max?: unknown;
            default?: unknown;
            label?: string | null;
        };
        UpdateParameterResponse: {
            parameter: components["schemas"]["ModelParameter"];
        };
        UpdateProjectRequest: {
            name?: string;
            description?: string;
            /** Format: uuid */
            environment_project_id?: string | null;
            /** Format: uuid */
            owner_user_id?: string;
        };
        UpdateProjectResponse: {
            project: components["schemas"]["Project"];
        };
        UpdateTeamRequest: {
            name?: string;
        };
        UpdateTeamResponse: {
            team: components["schemas"]["Team"];
        };
        UpdateUserRequest: {
            admin?: boolean;
            disabled?: boolean;
            location_name?: string | null;
            company_centre_unit?: string | null;
            my_people_page_url?: string | null;
            /** Format: int32 */
            grade_level?: number | null;
            tier?: string;
        };
        UpdateUserResponse: {
            user: components["schemas"]["User"];
        };
        UpdateVariantRequest: {
            name?: string;
            note?: string;
        };
        UpdateVariantResponse: {
            variant: components["schemas"]["Variant"];
        };
        UpdateWebhookRequest: {
            url?: string;
            events?: string[];
            /** @enum {string} */
            status?: "enabled" | "disabled";
        };
        UpdateWebhookResponse: {
            webhook: components["schemas"]["Webhook"];
        };
        UploadFileResponse: {
            file: components["schemas"]["File"];
        };
        UploadModelVersionResponse: {
            model_version: components["schemas"]["ModelVersion"];
        };
        Usage: {
            project_id: string | null;
            user_id: string;
            month: string;
            /** Format: int64 */
            evaluations: number;
            /** Format: double */
            compute_seconds: number;
            /** Format: int64 */
            storage: number;
            quota: components["schemas"]["Quota"];
        };
        User: {
            user_id: string;
            staff_name: string;
            email: string;
            /** Format: int64 */
            staff_id: number | null;
            company_centre_unit: string | null;
            location_name: string | null;
            /** Format: int32 */
            grade_level: number | null;
            my_people_page_url: string | null;
            admin: boolean | null;
            disabled: boolean | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            tier: string | null;
            email_verified: boolean | null;
        };
        UserReference: {
            user_id: string;
            staff_name: string;
        };
        Variant: {
            variant_id: string;
            project_id: string;
            name: string;
            note: string;
            /** @enum {string} */
            status: "evaluating" | "ready" | "failed";
            evaluation: components["schemas"]["Evaluation"];
            thumbnail: components["schemas"]["VariantThumbnail"] | null;
            created_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
            /** @enum {string} */
            role: "viewer" | "evaluator" | "editor" | "owner";
        };
        VariantComparison: {
            variants: components["schemas"]["ComparedVariant"][];
            parameters: components["schemas"]["ComparedValue"][];
            metrics: components["schemas"]["ComparedValue"][];
        };
        VariantThumbnail: {
            url: string;
            /** Format: int64 */
            size: number | null;
        };
        View: {
            view_id: string;
            project_id: string;
            name: string;
            is_default: boolean;
            viewer: components["schemas"]["ViewerSettings"] | null;
            charts: components["schemas"]["ViewChart"][];
            controls: components["schemas"]["ViewControl"][];
            metrics: string[];
            omitted: string[];
            created_by: components["schemas"]["UserReference"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        ViewChart: {
            /** @enum {string} */
            kind: "parallel" | "scatter_matrix" | "scatter" | "line" | "bar";
            axes: string[];
            color_by: string | null;
            filters: {
                [key: string]: components["schemas"]["ViewFilter"];
            };
        };
        ViewChartInput: {
            /** @enum {string} */
            kind: "parallel" | "scatter_matrix" | "scatter" | "line" | "bar";
            axes: string[];
            color_by?: string | null;
            filters?: {
                [key: string]: components["schemas"]["ViewFilterInput"];
            } | null;
        };
        ViewControl: {
            parameter: string;
            /** @enum {string|null} */
            widget: "slider" | "number" | "select" | "switch" | "text" | "color" | null;
            group: string;
            label: string;
            hidden: boolean;
        };
        ViewControlInput: {
            parameter: string;
            /** @enum {string|null} */
            widget?: "slider" | "number" | "select" | "switch" | "text" | "color" | null;
            group?: string | null;
            label?: string | null;
            hidden?: boolean | null;
        };
        ViewFilter: {
            /** Format: double */
            min: number | null;
            /** Format: double */
            max: number | null;
            values: unknown[];
        };
        ViewFilterInput: {
            /** Format: double */
            min?: number | null;
            /** Format: double */
            max?: number | null;
            values?: unknown[] | null;
        };
        ViewSection: {
            point: number[];
            normal: number[];
        };
        ViewSectionInput: {
            point: number[];
            normal: number[];
        };
        ViewerSettings: {
            camera: components["schemas"]["Camera"] | null;
            section: components["schemas"]["ViewSection"] | null;
            background: string;
            edges: boolean;
            hidden_parts: string[];
            colors: {
                [key: string]: string;
            };
            length_unit: string;
        };
        ViewerSettingsInput: {
            camera?: components["schemas"]["CameraInput"] | null;
            section?: components["schemas"]["ViewSectionInput"] | null;
            background?: string | null;
            edges?: boolean | null;
            hidden_parts?: string[] | null;
            colors?: {
                [key: string]: string;
            } | null;
            /** @enum {string|null} */
            length_unit?: "um" | "mm" | "cm" | "m" | "in" | "ft" | null;
        };
        Webhook: {
            webhook_id: string;
            url: string;
            events: string[];
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @enum {string|null} */
            disabled_reason: "requested" | "failed" | "gone" | null;
            user_id: string;
            scopes: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
        WebhookAttempt: {
            /** Format: date-time */
            attempted_at: string;
            /** Format: int32 */
            response_status: number | null;
            response_excerpt: string;
            reason: string | null;
            /** Format: double */
            duration_ms: number;
        };
        WebhookDelivery: {
            delivery_id: string;
            webhook_id: string;
            event_id: string;
            event_type: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "cancelled";
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
            request_excerpt: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            completed_at: string | null;
        };
        WorkerToken: {
            worker_token_id: string;
            name: string;
            prefix: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            deleted_at: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
