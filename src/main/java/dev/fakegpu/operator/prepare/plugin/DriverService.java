package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.operator.prepare.plugin.CallListener.Outcome;
import dev.fakegpu.operator.prepare.plugin.proto.dra.Claim;
import dev.fakegpu.operator.prepare.plugin.proto.dra.DRAPluginGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.dra.Device;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourceResponse;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourcesRequest;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodePrepareResourcesResponse;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodeUnprepareResourceResponse;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodeUnprepareResourcesRequest;
import dev.fakegpu.operator.prepare.plugin.proto.dra.NodeUnprepareResourcesResponse;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.SafeText;
import dev.fakegpu.util.Ticker;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Serves DRAPlugin v1 and v1beta1, which differ only in their names. */
final class DriverService {

    /** gRPC service names, newest first. */
    static final List<String> NAMES = List.of("v1.DRAPlugin", "v1beta1.DRAPlugin");

    private static final Logger LOG = Logger.getLogger(DriverService.class);

    private final ClaimPreparer preparer;
    private final CallListener listener;
    private final Ticker ticker;

    DriverService(ClaimPreparer preparer, CallListener listener, Ticker ticker) {
        this.preparer = preparer;
        this.listener = listener;
        this.ticker = ticker;
    }

    DRAPluginGrpc.DRAPluginImplBase v1() {
        return new DRAPluginGrpc.DRAPluginImplBase() {
            @Override
            public void nodePrepareResources(
                    NodePrepareResourcesRequest request, StreamObserver<NodePrepareResourcesResponse> response) {
                answer(response, () -> prepare(request));
            }

            @Override
            public void nodeUnprepareResources(
                    NodeUnprepareResourcesRequest request, StreamObserver<NodeUnprepareResourcesResponse> response) {
                answer(response, () -> unprepare(request));
            }
        };
    }

    dev.fakegpu.operator.prepare.plugin.proto.dra.v1beta1.DRAPluginGrpc.DRAPluginImplBase v1beta1() {
        return new dev.fakegpu.operator.prepare.plugin.proto.dra.v1beta1.DRAPluginGrpc.DRAPluginImplBase() {
            @Override
            public void nodePrepareResources(
                    NodePrepareResourcesRequest request, StreamObserver<NodePrepareResourcesResponse> response) {
                answer(response, () -> prepare(request));
            }

            @Override
            public void nodeUnprepareResources(
                    NodeUnprepareResourcesRequest request, StreamObserver<NodeUnprepareResourcesResponse> response) {
                answer(response, () -> unprepare(request));
            }
        };
    }

    @FunctionalInterface
    private interface Call<T> {
        T run() throws IOException;
    }

    private static <T> void answer(StreamObserver<T> response, Call<T> call) {
        T answer;
        try {
            answer = call.run();
        } catch (IOException | RuntimeException e) {
            // The failure does not concern a specific claim, so the whole call fails, and the kubelet retries it.
            LOG.errorf(e, "a call of the kubelet failed");
            response.onError(Status.INTERNAL
                    .withDescription(SafeText.of(e.toString(), SafeText.CONDITION_MESSAGE))
                    .withCause(e)
                    .asRuntimeException());
            return;
        }
        response.onNext(answer);
        response.onCompleted();
    }

    private NodePrepareResourcesResponse prepare(NodePrepareResourcesRequest request) throws IOException {
        var response = NodePrepareResourcesResponse.newBuilder();
        counted(
                        Operation.Prepare,
                        refs(request.getClaimsList()),
                        claims -> preparer.prepare(claims, DriverService::keepsWaiting),
                        answers -> uid -> answers.get(uid) instanceof ClaimPreparer.Answer.Prepared)
                .forEach((uid, answer) -> response.putClaims(uid, response(answer)));
        return response.build();
    }

    /** Returns false if the kubelet gives up first, that is, at the deadline of the call. */
    private static boolean keepsWaiting(Duration time) {
        var givenUp = new CountDownLatch(1);
        Context.CancellationListener listener = context -> givenUp.countDown();
        Context context = Context.current();
        context.addListener(listener, Runnable::run);
        try {
            return !givenUp.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            context.removeListener(listener);
        }
    }

    private static NodePrepareResourceResponse response(ClaimPreparer.Answer answer) {
        var response = NodePrepareResourceResponse.newBuilder();
        if (answer instanceof ClaimPreparer.Answer.Failed failed) {
            response.setError(SafeText.of(failed.problem(), SafeText.CONDITION_MESSAGE));
        } else if (answer instanceof ClaimPreparer.Answer.Prepared prepared) {
            var claim = prepared.claim();
            claim.results().forEach(result -> response.addDevices(device(claim, result)));
        }
        return response.build();
    }

    private static Device device(PreparedClaim claim, PreparedResult result) {
        var device = Device.newBuilder()
                .addAllRequestNames(result.requests())
                .setPoolName(result.container().id().pool())
                .setDeviceName(result.container().id().device())
                .addCdiDeviceIds(result.container().cdiId(claim.claim().uid()));
        if (result.shareId() != null) {
            device.setShareId(result.shareId());
        }
        return device.build();
    }

    private NodeUnprepareResourcesResponse unprepare(NodeUnprepareResourcesRequest request) throws IOException {
        var problems = counted(
                Operation.Unprepare,
                refs(request.getClaimsList()),
                claims -> preparer.unprepare(claims, DriverService::keepsWaiting),
                failures -> uid -> !failures.containsKey(uid));
        var response = NodeUnprepareResourcesResponse.newBuilder();
        request.getClaimsList()
                .forEach(claim -> response.putClaims(
                        claim.getUid(),
                        NodeUnprepareResourceResponse.newBuilder()
                                .setError(SafeText.of(
                                        problems.getOrDefault(claim.getUid(), ""), SafeText.CONDITION_MESSAGE))
                                .build()));
        return response.build();
    }

    @FunctionalInterface
    private interface ClaimsCall<T> {
        T run(List<ClaimRef> claims) throws IOException;
    }

    /** @param succeeded selects from the result the claims, by UID, for which the call succeeded */
    private <T> T counted(
            Operation operation, List<ClaimRef> claims, ClaimsCall<T> call, Function<T, Predicate<String>> succeeded)
            throws IOException {
        Moment begin = ticker.now();
        claims.forEach(claim -> listener.begun(operation));
        @Nullable Predicate<String> outcome = null;
        try {
            T result = call.run(claims);
            outcome = succeeded.apply(result);
            return result;
        } finally {
            Duration taken = ticker.since(begin);
            for (ClaimRef claim : claims) {
                listener.ended(operation, outcome(outcome, claim.uid()), taken);
            }
        }
    }

    private static Outcome outcome(@Nullable Predicate<String> succeeded, String uid) {
        if (succeeded == null) {
            return Outcome.BROKEN;
        }
        return succeeded.test(uid) ? Outcome.SUCCEEDED : Outcome.FAILED;
    }

    private static List<ClaimRef> refs(List<Claim> claims) {
        return claims.stream()
                .map(claim -> new ClaimRef(claim.getNamespace(), claim.getName(), claim.getUid()))
                .toList();
    }
}
