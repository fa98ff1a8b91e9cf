package dev.fakegpu.operator.prepare.plugin;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Refuses calls while too many are in progress: each call blocks a thread while it waits for the API server, the node's lock or a fault.
 * The kubelet retries refused calls.
 */
final class CallLimit implements ServerInterceptor {

    private final int limit;
    private final Semaphore free;

    CallLimit(int limit) {
        this.limit = limit;
        this.free = new Semaphore(limit);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (!free.tryAcquire()) {
            call.close(
                    Status.RESOURCE_EXHAUSTED.withDescription(
                            "%d calls are in progress, and the plugin accepts no more".formatted(limit)),
                    new Metadata());
            return new ServerCall.Listener<>() {};
        }
        var released = new AtomicBoolean();
        Runnable release = () -> {
            if (released.compareAndSet(false, true)) {
                free.release();
            }
        };
        try {
            return releasing(next.startCall(call, headers), release);
        } catch (RuntimeException e) {
            release.run();
            throw e;
        }
    }

    /** A call may still be running after its client has given up; its callbacks run one after the other, the last one when it has ended. */
    private static <Q> ServerCall.Listener<Q> releasing(ServerCall.Listener<Q> listener, Runnable release) {
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onComplete() {
                try {
                    super.onComplete();
                } finally {
                    release.run();
                }
            }

            @Override
            public void onCancel() {
                try {
                    super.onCancel();
                } finally {
                    release.run();
                }
            }
        };
    }
}
