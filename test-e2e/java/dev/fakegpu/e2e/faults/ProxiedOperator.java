package dev.fakegpu.e2e.faults;

import dev.fakegpu.e2e.support.OperatorProcess;
import dev.fakegpu.testing.ControlPlane;
import java.util.List;
import java.util.Map;

/**
 * An operator that connects to the API server through a proxy, and is restarted whenever it ends.
 *
 * @param proxy the proxy, which is closed with the operator
 */
record ProxiedOperator(FaultProxy proxy, OperatorProcess operator) implements AutoCloseable {

    /**
     * @param seed the seed of the proxy's random decisions
     * @param rules the rules in force before the operator starts
     */
    static ProxiedOperator start(ControlPlane controlPlane, long seed, FaultRule... rules) {
        var proxy = FaultProxy.to(controlPlane.config(), seed);
        List.of(rules).forEach(proxy::inject);
        var operator = OperatorProcess.start(controlPlane, proxy.address(), Map.of());
        return new ProxiedOperator(proxy, operator);
    }

    @Override
    public void close() {
        proxy.heal();
        operator.close();
        proxy.close();
    }
}
