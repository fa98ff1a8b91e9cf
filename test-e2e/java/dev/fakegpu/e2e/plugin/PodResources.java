package dev.fakegpu.e2e.plugin;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import dev.fakegpu.operator.prepare.plugin.BytesMarshaller;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Queries the devices of containers from a kubelet, as exporters do, with the service {@code v1.PodResourcesLister} of {@code
 * k8s.io/kubelet/pkg/apis/podresources/v1/api.proto}. Its field numbers are below.
 */
final class PodResources implements AutoCloseable {

    private static final BytesMarshaller BYTES = new BytesMarshaller();

    /** A device that a container uses through a claim. */
    record ClaimedDevice(
            String namespace,
            String pod,
            String container,
            String claim,
            String driver,
            String pool,
            String device,
            List<String> cdiDevices) {}

    private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
    private final ManagedChannel channel;

    /** @param kubeletRoot the kubelet's directory */
    PodResources(Path kubeletRoot) {
        channel = NettyChannelBuilder.forAddress(
                        UnixDomainSocketAddress.of(kubeletRoot.resolve("pod-resources/kubelet.sock")))
                .channelType(NioDomainSocketChannel.class)
                .eventLoopGroup(loop)
                .usePlaintext()
                .build();
    }

    List<ClaimedDevice> list() {
        return devices(call("List", new byte[0]));
    }

    List<ClaimedDevice> get(String namespace, String pod) {
        return devices(call(
                "Get",
                UnknownFieldSet.newBuilder()
                        .addField(1, text(pod))
                        .addField(2, text(namespace))
                        .build()
                        .toByteArray()));
    }

    private static UnknownFieldSet.Field text(String text) {
        return UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFromUtf8(text))
                .build();
    }

    private UnknownFieldSet call(String method, byte[] request) {
        MethodDescriptor<byte[], byte[]> descriptor = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("v1.PodResourcesLister/" + method)
                .setRequestMarshaller(BYTES)
                .setResponseMarshaller(BYTES)
                .build();
        return message(
                ByteString.copyFrom(ClientCalls.blockingUnaryCall(channel, descriptor, CallOptions.DEFAULT, request)));
    }

    private static List<ClaimedDevice> devices(UnknownFieldSet answer) {
        return messages(answer, 1)
                .flatMap(pod -> messages(pod, 3)
                        .flatMap(container -> messages(container, 5)
                                .flatMap(claim -> messages(claim, 4)
                                        .map(device -> new ClaimedDevice(
                                                text(pod, 2),
                                                text(pod, 1),
                                                text(container, 1),
                                                text(claim, 2),
                                                text(device, 2),
                                                text(device, 3),
                                                text(device, 4),
                                                messages(device, 1)
                                                        .map(cdi -> text(cdi, 1))
                                                        .toList())))))
                .toList();
    }

    private static Stream<UnknownFieldSet> messages(UnknownFieldSet message, int field) {
        return message.getField(field).getLengthDelimitedList().stream().map(PodResources::message);
    }

    private static UnknownFieldSet message(ByteString bytes) {
        try {
            return UnknownFieldSet.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(UnknownFieldSet message, int field) {
        return message.getField(field).getLengthDelimitedList().stream()
                .findFirst()
                .map(ByteString::toStringUtf8)
                .orElse("");
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loop.shutdownGracefully();
    }
}
