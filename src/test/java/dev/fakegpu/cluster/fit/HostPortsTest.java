package dev.fakegpu.cluster.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.testing.TestObjects;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortsTest {

    /** The cases of {@code pkg/scheduler/framework/plugins/nodeports/node_ports_test.go}. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "no ports                                           | ''                                        | TCP/0.0.0.0/80      | true",
                "other port                                         | UDP/127.0.0.1/8080                        | UDP/127.0.0.1/9090  | true",
                "same UDP port                                      | UDP/127.0.0.1/8080                        | UDP/127.0.0.1/8080  | false",
                "same TCP port                                      | TCP/127.0.0.1/8080                        | TCP/127.0.0.1/8080  | false",
                "different host IP                                  | TCP/127.0.0.1/8080                        | TCP/127.0.0.2/8080  | true",
                "different protocol                                 | UDP/127.0.0.1/8080                        | TCP/127.0.0.1/8080  | true",
                "second UDP port conflicts                          | UDP/127.0.0.1/8000 UDP/127.0.0.1/8080     | UDP/127.0.0.1/8080  | false",
                "first TCP port conflicts                           | TCP/127.0.0.1/8001 UDP/127.0.0.1/8080     | TCP/127.0.0.1/8001 UDP/127.0.0.1/8081 | false",
                "TCP port conflicts due to its host IP              | TCP/0.0.0.0/8001                          | TCP/127.0.0.1/8001  | false",
                "second TCP port conflicts due to its host IP       | TCP/10.0.10.10/8001 TCP/0.0.0.0/8001      | TCP/127.0.0.1/8001  | false",
                "TCP port conflicts due to the host IP of the other | TCP/127.0.0.1/8001                        | TCP/0.0.0.0/8001    | false",
                "different protocol than on all addresses           | UDP/127.0.0.1/8001                        | TCP/0.0.0.0/8001    | true",
                "UDP port conflicts due to the host IP of the other | UDP/127.0.0.1/8001                        | TCP/0.0.0.0/8001 UDP/0.0.0.0/8001 | false"
            })
    void aPortIsInUseAtOneAddressOrAtAll(String name, String wanted, String used, boolean areFree) {
        assertThat(HostPorts.of(withPorts(wanted))
                        .areFreeBeside(HostPorts.of(withPorts(used)).ports()))
                .isEqualTo(areFree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "containers: [{name: c, ports: [{containerPort: 80, hostPort: 8001}]}]                             | false",
                "containers: [{name: c, ports: [{containerPort: 8001}]}]                                           | true",
                "initContainers: [{name: c, ports: [{containerPort: 80, hostPort: 8001}]}]                         | true",
                "initContainers: [{name: c, restartPolicy: Always, ports: [{containerPort: 80, hostPort: 8001}]}]  | false",
                "hostNetwork: true, containers: [{name: c, ports: [{containerPort: 8001}]}]                        | false",
                "hostNetwork: true, containers: [{name: c}]                                                        | true"
            })
    void portsOfContainersCountThatRunAsLongAsThePod(String spec, boolean areFree) {
        Pod other = withPorts("TCP/0.0.0.0/8001");

        assertThat(HostPorts.of(pod(spec)).areFreeBeside(HostPorts.of(other).ports()))
                .isEqualTo(areFree);
        assertThat(HostPorts.of(other).areFreeBeside(HostPorts.of(pod(spec)).ports()))
                .isEqualTo(areFree);
    }

    @Test
    void gangsAndQueuesTellPodsApartThatNeedOtherPorts() {
        assertThat(key("TCP/0.0.0.0/80")).isEqualTo(key("TCP/0.0.0.0/80")).isNotEqualTo(key("TCP/0.0.0.0/81"));
    }

    private static Object key(String ports) {
        return new PodFit(withPorts(ports), List.of(), new NodeUsage(), ExtendedResources.NONE, DeviceLookup.NONE, null)
                .key();
    }

    /** @param ports protocols, host IPs and ports, such as {@code TCP/0.0.0.0/80 UDP/127.0.0.1/53} */
    private static Pod withPorts(String ports) {
        String listed = Arrays.stream(ports.split(" "))
                .filter(port -> !port.isEmpty())
                .map(port -> port.split("/"))
                .map(port -> "{containerPort: 1, protocol: %s, hostIP: %s, hostPort: %s}".formatted((Object[]) port))
                .collect(Collectors.joining(", "));
        return pod("containers: [{name: main, ports: [%s]}]".formatted(listed));
    }

    private static Pod pod(String spec) {
        return TestObjects.pod("{name: a, namespace: team}", "spec: {%s}".formatted(spec));
    }
}
