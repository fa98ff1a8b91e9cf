package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.operator.prepare.plugin.proto.registration.InfoRequest;
import dev.fakegpu.operator.prepare.plugin.proto.registration.PluginInfo;
import dev.fakegpu.operator.prepare.plugin.proto.registration.RegistrationGrpc;
import dev.fakegpu.operator.prepare.plugin.proto.registration.RegistrationStatus;
import dev.fakegpu.operator.prepare.plugin.proto.registration.RegistrationStatusResponse;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/** Serves plugin registration v1, which the kubelet calls when it finds the socket. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {

    private static final Logger LOG = Logger.getLogger(RegistrationService.class);

    private final PluginInfo info;
    private final Consumer<Boolean> registered;

    /**
     * @param services names of the gRPC services at the endpoint, newest first; the kubelet uses the first one that it supports
     * @param registered is notified whether the kubelet has registered the driver, after which pods with its devices can start
     */
    RegistrationService(String driver, Path endpoint, List<String> services, Consumer<Boolean> registered) {
        this.registered = registered;
        this.info = PluginInfo.newBuilder()
                .setType("DRAPlugin")
                .setName(driver)
                .setEndpoint(endpoint.toString())
                .addAllSupportedVersions(services)
                .build();
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> response) {
        response.onNext(info);
        response.onCompleted();
    }

    @Override
    public void notifyRegistrationStatus(
            RegistrationStatus status, StreamObserver<RegistrationStatusResponse> response) {
        if (status.getPluginRegistered()) {
            LOG.infof("the kubelet registered %s at %s", info.getName(), info.getEndpoint());
        } else {
            // The kubelet retries by itself.
            LOG.errorf("the kubelet did not register %s: %s", info.getName(), status.getError());
        }
        registered.accept(status.getPluginRegistered());
        response.onNext(RegistrationStatusResponse.getDefaultInstance());
        response.onCompleted();
    }
}
